import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { type Client, createClient } from '../support/client.ts';
import { createTenantKey } from '../support/deployment.ts';
import { countTenantsToBackfill, findDimensionFaults } from '../support/dimension-faults.ts';
import { isWholeRun } from '../support/is-whole-run.ts';
import { installPreviousRelease } from '../support/previous-release.ts';
import { run, type StartedProcess } from '../support/process.ts';
import { record, without } from '../support/records.ts';
import { createEmptyDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { settings } from '../support/service.ts';
import { until } from '../support/until.ts';

const CURRENT = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const UPLOADS = isWholeRun ? 24 : 8;
const RECORDS = isWholeRun ? 12_000 : 200;
/** Findings that every file contains, with other attributes. */
const REPEATED = 50;
/** The previous release does not store the product. */
const PRODUCT = { product: { name: 'Scanner' } };
/** Prefix of the UIDs of findings that several files contain. */
const SHARED = 'shared-';

const previous = await installPreviousRelease();

interface Accepted {
  readonly id: string;
  readonly invalid: number;
}

// The previous and the current release share a database and a blob store during the upgrade.
describe('a rolling upgrade from the previous release', {
  skip: typeof previous === 'string' && previous,
}, () => {
  const PREVIOUS = typeof previous === 'string' ? '' : previous.bin;
  const sandbox = createSandbox();
  const accepted: Accepted[] = [];
  let databaseUrl: string;
  let blobs: string;
  let key: string;
  let newApi: Client;
  let oldApi: Client;
  let oldProcesses: StartedProcess[];
  before(async () => {
    databaseUrl = await createEmptyDatabase();
    blobs = pathToFileURL(path.join(await sandbox.newDataDir(), 'blobs')).href;
  });
  after(() => sandbox.clear());

  const environment = async () =>
    settings(await sandbox.newDataDir(), {
      DATABASE_URL: databaseUrl,
      SLUICE_BLOB_STORE: blobs,
      SLUICE_WORKERS: '1',
    });
  const start = async (bin: string, role: string) => {
    const args = [bin, 'serve', '--role', role];
    const started = sandbox.startProcess(process.execPath, args, { env: await environment() });
    await started.printed(/Sluice is ready/);
    return started;
  };
  const startApi = async (bin: string) => {
    const api = await start(bin, 'api');
    const url = /ready at (\S+)/.exec(api.output.stdout)?.[1] ?? '';
    return { api, url };
  };
  const sluice = async (bin: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [bin, ...args, '--json'], {
      env: await environment(),
    });
    // On a busy machine, frames hold locks for longer.
    const problems = stderr.replaceAll(/^the migration is waiting for a lock held by .*\n/gm, '');
    assert.deepEqual([code, problems], [0, '']);
    return JSON.parse(stdout);
  };
  const startOld = async () => {
    const { api, url } = await startApi(PREVIOUS);
    oldProcesses = [api, await start(PREVIOUS, 'worker')];
    return url;
  };
  const stop = async (processes: readonly StartedProcess[]) => {
    for (const { signal } of processes) signal('SIGTERM');
    for (const { exited } of processes) assert.equal(await exited, 0);
  };
  /** Uploads valid and invalid records through each client, several files at a time. */
  const upload = async (name: string, clients: readonly Client[]) => {
    const uploadFile = async (client: Client, at: number) => {
      const invalid = at % 3;
      const file = [
        ...Array.from({ length: RECORDS }, (_, n) => recordOf(`${name}-${at}-${n}`, at, n)),
        ...Array.from({ length: REPEATED }, (_, n) => recordOf(`${SHARED}${n}`, accepted.length + at, n)),
        ...Array.from({ length: invalid }, () => without('finding_info.uid')),
      ];
      const { status, body } = await client.upload(file);
      assert.equal(status, 202, JSON.stringify(body));
      accepted.push({ id: body.data.id, invalid });
    };
    for (let at = 0; at < UPLOADS; at += 4) {
      const batch = Array.from({ length: 4 }, (_, n) => at + n);
      await Promise.all(batch.map(async (n) => await uploadFile(clients[n % clients.length] ?? newApi, n)));
    }
  };

  /** Waits until all jobs have ended, and compares the new tables with the columns of the previous layout. */
  const checkDimensions = async (client: Client) => {
    for (const { id } of accepted) await client.ended(id);
    assert.deepEqual(await findDimensionFaults(databaseUrl), []);
  };
  /** Waits until all frames have been read again, and checks what the previous release does not store. */
  const checkReread = async (client: Client) => {
    await until(async () => (await count('reread_queue')) === 0);
    const total = async (filter: string) =>
      (await client.get(`/findings?page[size]=1&${filter}`)).body.meta?.pagination.count;
    assert.equal(await total('filter[product]='), 0);
    assert.equal(await total('filter[product]=Scanner'), await total(''));
  };
  const removeProvider = async (client: Client) => {
    const account = '999900001111';
    await client.ingest(
      Array.from({ length: 100 }, (_, n) => ({
        ...recordOf(`${SHARED}${n}`, 0, n),
        cloud: cloudOf(account),
      })),
    );
    const [{ id }] = await onOwner(
      async (owner) =>
        (
          await owner.query('select id from sluice.providers where account = $1 and deleted_at is null', [
            account,
          ])
        ).rows,
    );
    assert.equal((await client.send(`/providers/${id}`, { method: 'DELETE' })).status, 204);
    await until(async () => (await count('provider_removals')) === 0);
  };
  const count = async (table: string): Promise<number> =>
    await onOwner(
      async (owner) => (await owner.query(`select count(*)::int from sluice.${table}`)).rows[0].count,
    );

  /**
   * Uploads a finding twice through the previous release, and makes the first upload old enough for garbage collection.
   * Triggers are off, so only data written by the previous release can schedule the garbage collection.
   */
  const createGarbage = async (name: string, client: Client) => {
    const uid = `${SHARED}garbage-${name}`;
    const { id } = await client.ingest([record({ finding_info: { uid }, metadata: PRODUCT })]);
    await client.ingest([record({ finding_info: { uid }, metadata: PRODUCT, time: 1_780_000_100 })]);
    await onOwner((owner) =>
      owner.query(
        `set session_replication_role = replica;
         update sluice.ingestions set completed_at = completed_at - interval '31 days' where id = '${id}'`,
      ),
    );
  };
  const collectFiles = async (): Promise<number> => (await sluice(CURRENT, 'gc')).files.count;
  const onOwner = async <Result>(work: (owner: pg.Client) => Promise<Result>) => {
    const owner = new pg.Client({ connectionString: databaseUrl });
    await owner.connect();
    try {
      return await work(owner);
    } finally {
      await owner.end();
    }
  };

  it('does not change the migrations of the previous release', async () => {
    const folder = path.resolve(path.dirname(PREVIOUS), '../migrations');
    for (const name of await readdir(folder))
      assert.equal(
        await readFile(new URL(name, MIGRATIONS), 'utf8'),
        await readFile(path.join(folder, name), 'utf8'),
        name,
      );
  });

  it('migrates the database while the previous release accepts uploads', async () => {
    const url = await startOld();
    const operator: Parameters<typeof createTenantKey>[0] = {
      sluiceJson: async (...args) => await sluice(PREVIOUS, ...args),
    };
    key = await createTenantKey(operator);
    oldApi = createClient(url, key);
    // Uses a tenant without later uploads.
    await createGarbage('before', oldApi.as(await createTenantKey(operator)));
    const uploads = upload('before', [oldApi]);
    const { applied } = await sluice(CURRENT, 'migrate');
    assert.notEqual(applied.length, 0, 'the current release adds no migration');
    await uploads;
    await checkDimensions(oldApi);
    const { tenants, percent, frames } = (await sluice(CURRENT, 'migrate', '--status')).backfill;
    assert.deepEqual({ tenants, percent }, { tenants: 2, percent: 0 });
    assert.equal(frames, await count('frames'));
    assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  });

  it('removes expired data that the previous release wrote before and after the migration', async () => {
    assert.equal(await collectFiles(), 1);
    assert.equal(await collectFiles(), 0);
    await createGarbage('after', oldApi);
    assert.equal(await collectFiles(), 1);
  });

  it('removes the resources of a provider that the previous release deletes', async () => {
    await removeProvider(oldApi);
    await checkDimensions(oldApi);
  });

  it('accepts uploads through both releases at the same time', async () => {
    const { url } = await startApi(CURRENT);
    await start(CURRENT, 'worker');
    newApi = createClient(url, key);
    await upload('both', [oldApi, newApi]);
    await checkDimensions(newApi);
  });

  it('backfills the findings that the previous release wrote before the migration', async () => {
    await until(async () => (await countTenantsToBackfill(databaseUrl)) === 0);
    await checkDimensions(newApi);
  });

  it('reads the frames of the previous release again', async () => {
    await checkReread(newApi);
    assert.equal((await sluice(CURRENT, 'migrate', '--status')).backfill, undefined);
  });

  it('accepts uploads after the previous release has been stopped', async () => {
    await stop(oldProcesses);
    await upload('after', [newApi]);
    await removeProvider(newApi);
    await checkDimensions(newApi);
  });

  it('lets the previous release start with the new schema, as in a rollback', async () => {
    oldApi = createClient(await startOld(), key);
    await upload('again', [oldApi, newApi]);
    await checkDimensions(newApi);
    const second = await sluice(PREVIOUS, 'tenant', 'create', 'Second');
    assert.equal(second.name, 'Second');
  });

  it('reads the frames again that the previous release processed after the rollback', async () => {
    await checkReread(newApi);
    await checkDimensions(newApi);
  });

  it('accounts for every record that either release received', async () => {
    assert.equal(accepted.length, 4 * UPLOADS);
    for (const [at, { id, invalid }] of accepted.entries()) {
      const { attributes } = await (at % 2 === 0 ? oldApi : newApi).ended(id);
      const total = RECORDS + REPEATED + invalid;
      assert.deepEqual(attributes.summary, { total, processed: total, invalid });
      assert.equal(attributes.status, invalid === 0 ? 'completed' : 'failed');
    }
    const { rows } = await onOwner((owner) =>
      owner.query(
        'select count(*)::int, count(distinct uid)::int as uids from sluice.findings where not starts_with(uid, $1)',
        [SHARED],
      ),
    );
    const sent = accepted.length * RECORDS;
    assert.deepEqual(rows, [{ count: sent, uids: sent }]);
  });
});

/** A record whose resource other files contain as well. Later files have later records with other attributes. */
function recordOf(uid: string, file: number, n: number): Record<string, unknown> {
  const region = `region-${(n + (file >> 2)) % 3}`;
  return record({
    finding_info: { uid },
    time: 1_780_000_000 + file,
    status_code: (n + file) % 3 === 0 ? 'PASS' : 'FAIL',
    severity_id: 2 + (n % 4),
    metadata: { event_code: `check_${n % 7}`, ...PRODUCT },
    cloud: cloudOf(`11112222333${n % 3}`),
    resources:
      n % 10 === 0
        ? []
        : [
            {
              uid: `arn:${n % 40}`,
              name: `name-${(file >> 1) % 2}`,
              type: 'Bucket',
              region,
              group: { name: `s${n % 4}` },
            },
          ],
  });
}

function cloudOf(account: string) {
  return { provider: 'aws', region: 'eu-central-1', account: { uid: account, name: 'Production' } };
}
