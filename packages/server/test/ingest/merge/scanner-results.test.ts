import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type Emulator, startEmulator } from '../../../../directory-emulator/src/index.ts';
import { makeFolder, runScanner } from '../../../../scanner/test/cli/run-scanner.ts';
import { createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { STORED_FINDINGS } from '../../support/stored-findings.ts';

describe('results of the Sluice scanner', () => {
  let service: SharedService;
  let emulator: Emulator;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  before(async () => {
    [service, emulator, folder] = await Promise.all([
      joinService(),
      startEmulator({ organization: 'mixed', role: 'super-admin' }),
      makeFolder(),
    ]);
  });
  after(async () => {
    await Promise.all([service.leave(), emulator.stop(), folder.remove()]);
  });

  const scan = async (name: string) => {
    const args = ['-M', 'json-ocsf', '-F', name, '-o', folder.folder, '--directory-requests-per-second', '0'];
    const { code, stderr } = await runScanner(['directory', ...args], { env: emulator.environment() });
    assert.equal(code, 3, stderr);
    return await readFile(`${folder.folder}/${name}.ocsf.json`);
  };

  it('ingests every finding of a directory scan and matches the same findings in the next scan', async () => {
    const client = createClient(service.url, service.key);
    const file = await scan('first');
    const records: readonly unknown[] = JSON.parse(file.toString());
    const job = await client.ingest(file);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: records.length, processed: records.length, invalid: 0 }],
    );
    const rescanned = await client.ingest(await scan('second'));
    assert.equal(rescanned.attributes.status, 'completed');

    assert.deepEqual(await service.sql('select type, account from providers'), [
      { type: 'directory', account: new URL(emulator.url).host },
    ]);
    assert.deepEqual(
      await service.sql(`select count(*)::int, count(distinct f.uid)::int as uids from ${STORED_FINDINGS} f`),
      [{ count: records.length, uids: records.length }],
    );
    assert.deepEqual(await service.sql('select count(*)::int from checks'), [{ count: 29 }]);
  });
});
