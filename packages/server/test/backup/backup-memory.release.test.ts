import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackupSummary, uploadNew } from '../support/backups.ts';
import { createClient } from '../support/client.ts';
import { createEmptyDatabase, dropDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Environment, Service } from '../support/service.ts';

const FINDINGS = 1_000_000;
/** The memory that Node.js uses without the AWS SDK, plus the buffers of the streams that copy 400 MB of rows. */
const MAX_MIB = 250;
const SAMPLE_MS = 50;

describe(`a backup of ${FINDINGS.toLocaleString('en')} findings`, () => {
  const sandbox = createSandbox();
  let service: Service;
  let databaseUrl: string;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    const client = createClient(service.url, service.key);
    await client.ended((await uploadNew(client, 1)).id);
    const columns = await service.ownerSql<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = 'findings'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'uid')`,
    );
    const otherColumns = columns.map(({ name }) => name).join(', ');
    await service.ownerSql('alter table findings disable trigger user');
    await service.ownerSql(
      `insert into findings (id, uid, ${otherColumns})
       select gen_random_uuid(), 'finding-' || n, ${otherColumns} from findings, generate_series(2, ${FINDINGS}) as n`,
    );
    await service.ownerSql('alter table findings enable trigger user');
    databaseUrl = await createEmptyDatabase();
  });
  after(async () => {
    await sandbox.clear();
    await dropDatabase(databaseUrl);
  });

  /** Runs a command. Resolves with its output and its peak memory in MiB. */
  const measure = async (dataDir: string, args: readonly string[], environment: Environment = {}) => {
    const started = sandbox.startSluice(dataDir, [...args, '--json'], environment);
    let isOver = false;
    const ended = started.ended.finally(() => {
      isOver = true;
    });
    let peakMib = 0;
    while (!isOver) {
      const status = await readFile(`/proc/${started.pid}/status`, 'utf8').catch(() => '');
      peakMib = Math.max(peakMib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      await sleep(SAMPLE_MS);
    }
    const { code, stdout, stderr } = await ended;
    assert.deepEqual([code, stderr], [0, '']);
    const summary: BackupSummary = JSON.parse(stdout);
    return { summary, peakMib: Math.round(peakMib) };
  };

  it(`backs up and restores ${FINDINGS.toLocaleString('en')} findings with less than ${MAX_MIB} MiB of memory`, async (t) => {
    const folder = path.join(await sandbox.newDataDir(), 'backup');
    const backup = await measure(service.dataDir, ['backup', folder]);
    const restore = await measure(await sandbox.newDataDir(), ['restore', folder], {
      DATABASE_URL: databaseUrl,
    });
    assert.equal(backup.summary.findings, FINDINGS);
    assert.deepEqual(restore.summary, backup.summary);
    t.diagnostic(`backup ${backup.peakMib} MiB, restore ${restore.peakMib} MiB`);
    for (const { peakMib } of [backup, restore])
      assert.ok(peakMib > 0 && peakMib < MAX_MIB, `${peakMib} MiB`);
  });
});
