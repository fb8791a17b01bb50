import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../support/client.ts';
import { LOCKS, SESSIONS } from '../support/database-activity.ts';
import { claimedFrames, createDeployment, createTenantKey, type Deployment } from '../support/deployment.ts';
import { holdProcessing } from '../support/held-jobs.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import type { StartedProcess } from '../support/process.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { assertTrueCounts } from '../support/true-counts.ts';
import { until } from '../support/until.ts';

const FRAME_RECORDS = 5000;
/** Maximum number of frames of a single job that a worker process with one thread holds concurrently. */
const CLAIMED_FRAMES = 3;
const STOP_MS = 10_000;

const fileOf = (account: string, findings: number) =>
  Array.from({ length: findings }, (_, at) =>
    record({ cloud: { account: { uid: account } }, finding_info: { uid: `finding-${at}` } }),
  );

describe('separate API and worker processes', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  let api: Service;
  let key: string;
  let client: Client;
  beforeEach(async () => {
    deployment = await createDeployment(sandbox);
    api = await deployment.startApi();
    key = await createTenantKey(api);
    client = createClient(api.url, key);
  });
  afterEach(() => sandbox.clear());

  const status = async (id: string) => (await client.get(`/ingestions/${id}`)).body.data.attributes.status;
  const accepted = async (records: readonly unknown[], by = client) => {
    const response = await by.upload(records);
    assert.equal(response.status, 202);
    return response.body.data.id;
  };
  const assertCompleted = async (id: string, total: number) => {
    const { attributes } = await client.ended(id);
    assert.deepEqual(
      [attributes.status, attributes.summary],
      ['completed', { total, processed: total, invalid: 0 }],
    );
  };
  /** Returns the finding counts by account. */
  const findings = async () =>
    await api.sql(
      `select account, count(*)::int from findings f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
       group by account order by account`,
    );
  const queuedFrames = async () => (await api.sql('select from frame_queue')).length;
  const databaseSessions = async () => {
    const rows = await api.sql<{ name: string }>(
      `select distinct application_name as name from ${SESSIONS}
       where application_name like 'sluice%' order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const stopProcess = async (started: StartedProcess) => {
    const from = performance.now();
    started.signal('SIGTERM');
    const { code } = await started.ended;
    assert.ok(performance.now() - from < STOP_MS, 'the shutdown took too long');
    return code;
  };

  it('keeps uploads pending until a worker process starts, and ignores PORT in that process', async () => {
    const ids = [await accepted([record()]), await accepted(fileOf('large', FRAME_RECORDS + 1))];
    await sleep(1500);
    for (const id of ids) assert.equal(await status(id), 'pending');
    assert.deepEqual(await api.sql('select distinct is_begun from frames'), [{ is_begun: false }]);
    assert.deepEqual(await databaseSessions(), ['sluice api']);

    const worker = await deployment.startWorker({ PORT: new URL(api.url).port });
    assert.equal(worker.output.stdout, 'Sluice is ready with 1 worker thread\n');
    for (const [at, id] of ids.entries()) await assertCompleted(id, at === 0 ? 1 : FRAME_RECORDS + 1);
    assert.equal(await api.end(), 0);
    const next = await deployment.startApi();
    assert.deepEqual(
      (await createClient(next.url, key).get(`/ingestions/${ids[0]}`)).body.data.attributes.status,
      'completed',
    );
    assert.equal(await next.end(), 0);
    await until(async () => (await databaseSessions()).join() === 'sluice worker');
    assert.equal(await stopProcess(worker), 0);
  });

  itInWholeRun('wakes a worker process for each upload instead of waiting for the next poll', async () => {
    await deployment.startWorker();
    await client.ingest([record()]);
    const from = performance.now();
    for (let upload = 0; upload < 8; upload++) await client.ingest([record()]);
    // Without a notification, the worker polls every 5 seconds.
    assert.ok(performance.now() - from < 10_000, 'the uploads waited for a poll');
  });

  itInWholeRun('distributes uploads among worker processes and counts each record once', async () => {
    const second = await deployment.startApi();
    const workers = [await deployment.startWorker(), await deployment.startWorker()];
    const clients = [client, createClient(second.url, key)];
    const release = await holdProcessing(api);
    const ids = await Promise.all(
      [1, 2, 3].flatMap(() =>
        clients.map((by, at) => accepted(fileOf(`account-${at}`, 2 * FRAME_RECORDS), by)),
      ),
    );
    // With several jobs, a worker holds one more frame, in the slot that a single job cannot use.
    await until(async () => (await claimedFrames(api)) === workers.length * (CLAIMED_FRAMES + 1));
    await release();
    for (const id of ids) await assertCompleted(id, 2 * FRAME_RECORDS);
    assert.deepEqual(await findings(), [
      { account: 'account-0', count: 2 * FRAME_RECORDS },
      { account: 'account-1', count: 2 * FRAME_RECORDS },
    ]);
    await assertTrueCounts(api);
    for (const worker of workers) assert.equal(await stopProcess(worker), 0);
    assert.doesNotMatch(workers.map(({ output }) => output.stderr).join(), /deadlock/);
  });

  itInWholeRun(
    'takes over the frames of a killed worker while its database session waits for a lock',
    async () => {
      const killed = await deployment.startWorker();
      const release = await holdProcessing(api);
      const total = 6 * FRAME_RECORDS;
      const id = await accepted(fileOf('kept', total));
      await until(async () => (await claimedFrames(api)) === CLAIMED_FRAMES);
      await deployment.startWorker();
      await until(async () => (await claimedFrames(api)) === 2 * CLAIMED_FRAMES);
      killed.signalGroup('SIGKILL');
      await killed.exited;
      await until(async () => (await claimedFrames(api)) === CLAIMED_FRAMES);
      assert.equal(await status(id), 'processing');
      await release();
      await assertCompleted(id, total);
      assert.deepEqual(await findings(), [{ account: 'kept', count: total }]);
      await assertTrueCounts(api);
    },
  );

  itInWholeRun('releases unfinished frames within 10 seconds when a worker shuts down', async () => {
    const worker = await deployment.startWorker();
    const release = await holdProcessing(api);
    const total = 3 * FRAME_RECORDS;
    const id = await accepted(fileOf('kept', total));
    await until(async () => (await claimedFrames(api)) === CLAIMED_FRAMES);
    assert.equal(await stopProcess(worker), 0);
    await until(async () => (await claimedFrames(api)) === 0);
    await release();
    assert.equal(await status(id), 'processing');
    assert.deepEqual(await findings(), []);
    await deployment.startWorker();
    await assertCompleted(id, total);
    assert.deepEqual(await findings(), [{ account: 'kept', count: total }]);
    await assertTrueCounts(api);
  });

  itInWholeRun('finishes the frames in progress and claims no more when a worker shuts down', async () => {
    const worker = await deployment.startWorker({ LOG_LEVEL: 'info' });
    const release = await holdProcessing(api);
    const total = 4 * FRAME_RECORDS;
    const id = await accepted(fileOf('kept', total));
    await until(async () => (await claimedFrames(api)) === CLAIMED_FRAMES);
    const queued = await queuedFrames();
    worker.signal('SIGTERM');
    await worker.printed(/shutting down/);
    await release();
    assert.deepEqual((await worker.ended).code, 0);
    assert.deepEqual([await queuedFrames(), await claimedFrames(api)], [queued - CLAIMED_FRAMES, 0]);
    assert.deepEqual(await findings(), [{ account: 'kept', count: CLAIMED_FRAMES * FRAME_RECORDS }]);
    await deployment.startWorker();
    await assertCompleted(id, total);
  });

  itInWholeRun(
    'shuts down an API process within 10 seconds while a request waits for a database lock',
    async () => {
      const holder = await api.connect();
      try {
        await holder.query('begin; lock table ingestions');
        const request = assert.rejects(client.get('/ingestions'));
        await until(async () => (await api.sql(`select from ${LOCKS} where not granted`)).length > 0);
        const from = performance.now();
        await api.end();
        assert.ok(performance.now() - from < STOP_MS, 'the shutdown took too long');
        await request;
      } finally {
        await holder.end();
      }
    },
  );

  itInWholeRun('wakes a worker process to delete findings after a provider is deleted', async () => {
    const first = await deployment.startWorker();
    for (const account of ['first', 'second']) await client.ingest(fileOf(account, 1200));
    assert.equal(await stopProcess(first), 0);
    const { body } = await client.get<{ id: string }[]>('/providers?sort=inserted_at');
    const [firstId, secondId] = body.data.map(({ id }) => id);
    const remove = async (id = '') => assert.equal((await client.delete(`/providers/${id}`)).status, 204);
    const remaining = async () =>
      (await api.sql('select provider_id from provider_removals')).length +
      (await findings()).filter(({ account }) => account === 'first').length;

    await remove(firstId);
    await sleep(1000);
    assert.equal((await findings()).length, 2);
    await deployment.startWorker();
    await until(async () => (await findings()).length === 1);
    const from = performance.now();
    await remove(secondId);
    await until(async () => (await findings()).length === 0 && (await remaining()) === 0);
    // Without a notification, the worker polls every 30 seconds.
    assert.ok(performance.now() - from < 15_000, 'the removal waited for a poll');
    await assertTrueCounts(api);
  });
});

describe('`sluice serve --role` with the embedded PostgreSQL', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  for (const role of ['api', 'worker']) {
    it(`rejects the role ${role} without DATABASE_URL and leaves the data directory empty`, async () => {
      const dataDir = await sandbox.newDataDir();
      const { code, stdout, stderr } = await sandbox.sluice(dataDir, ['serve', '--role', role]);
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(
        stderr,
        `sluice: DATABASE_URL must be set for --role ${role}: only --role all can use the embedded PostgreSQL\n`,
      );
      assert.deepEqual(await readdir(dataDir), []);
    });
  }
});
