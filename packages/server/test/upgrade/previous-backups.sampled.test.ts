import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient, type Resource } from '../support/client.ts';
import { createTenantKey } from '../support/deployment.ts';
import { countTenantsToBackfill, findDimensionFaults } from '../support/dimension-faults.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { installPreviousRelease } from '../support/previous-release.ts';
import { run } from '../support/process.ts';
import { record } from '../support/records.ts';
import { createEmptyDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { settings } from '../support/service.ts';
import { until } from '../support/until.ts';

const CURRENT = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
const FINDINGS = 50;

const previous = await installPreviousRelease();

describe('backups of databases that the previous release has used', {
  skip: typeof previous === 'string' && previous,
}, () => {
  const PREVIOUS = typeof previous === 'string' ? '' : previous.bin;
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  /** A new database with its own blob store. */
  const createPlace = async () => {
    const dataDir = await sandbox.newDataDir();
    const blobs = pathToFileURL(path.join(dataDir, 'blobs')).href;
    const databaseUrl = await createEmptyDatabase();
    const own = { DATABASE_URL: databaseUrl, SLUICE_BLOB_STORE: blobs, SLUICE_WORKERS: '1' };
    const env = settings(dataDir, own);
    const sluice = async (bin: string, ...args: string[]) => {
      const { code, stdout, stderr } = await run(process.execPath, [bin, ...args, '--json'], { env });
      assert.deepEqual([code, stderr], [0, '']);
      return JSON.parse(stdout);
    };
    const serve = (bin: string) => sandbox.startProcess(process.execPath, [bin, 'serve'], { env });
    return { databaseUrl, sluice, serve };
  };
  type Place = Awaited<ReturnType<typeof createPlace>>;
  /** Runs the work with a client of a service in this place. */
  const using = async (bin: string, { serve }: Place, work: (url: string) => Promise<void>) => {
    const service = serve(bin);
    await service.printed(/Sluice is ready/);
    await work(/ready at (\S+)/.exec(service.output.stdout)?.[1] ?? '');
    service.signal('SIGTERM');
    assert.equal(await service.exited, 0);
  };
  const records = (time: number) =>
    Array.from({ length: FINDINGS }, (_, n) =>
      record({ finding_info: { uid: `finding-${n}` }, time, resources: [{ uid: `resource-${n % 7}` }] }),
    );

  itInWholeRun(
    'restores a backup of the previous release, backfills its findings, and keeps the layout in further backups',
    async () => {
      const original = await createPlace();
      let key = '';
      await using(PREVIOUS, original, async (url) => {
        key = await createTenantKey({
          sluiceJson: async (...args) => await original.sluice(PREVIOUS, ...args),
        });
        await createClient(url, key).ingest(records(1_780_000_000));
      });
      const folder = path.join(await sandbox.newDataDir(), 'backup');
      await original.sluice(PREVIOUS, 'backup', folder);

      const restored = await createPlace();
      await restored.sluice(CURRENT, 'restore', folder);
      await using(CURRENT, restored, async (url) => {
        await until(async () => (await countTenantsToBackfill(restored.databaseUrl)) === 0);
        const { body } = await createClient(url, key).get<Resource[]>('/findings');
        assert.equal(body.meta.pagination.count, FINDINGS);
        await createClient(url, key).ingest(records(1_780_000_100));
      });
      assert.deepEqual(await findDimensionFaults(restored.databaseUrl), []);

      const secondFolder = path.join(await sandbox.newDataDir(), 'backup');
      await restored.sluice(CURRENT, 'backup', secondFolder);
      const second = await createPlace();
      await second.sluice(CURRENT, 'restore', secondFolder);
      await using(PREVIOUS, second, async (url) => {
        await createClient(url, key).ingest([...records(1_780_000_200), record()]);
      });
      assert.deepEqual(await findDimensionFaults(second.databaseUrl), []);
    },
  );

  it('prevents the previous release from using a database that the current release created', async () => {
    const place = await createPlace();
    await place.sluice(CURRENT, 'migrate');
    const service = place.serve(PREVIOUS);
    assert.equal(await service.exited, 1);
    assert.match(service.output.stderr, /the database schema is too new for this version/);
  });
});
