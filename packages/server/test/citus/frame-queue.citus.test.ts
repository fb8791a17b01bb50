import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason, onNode } from '../support/citus.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey, createUser, type Operator } from '../support/operator.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** A job that does not exist. */
const MISSING = '0198a000-0000-7000-8000-000000000000';

// The worker starts after the API, so that the queue can be inspected.
describe('the queue of a distributed database', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  let settings: Record<string, string>;
  let tenant: string;
  let client: Client;
  before(async () => {
    citus = await createCitusDatabase();
    const store = pathToFileURL(path.join(await sandbox.newDataDir(), 'blobs')).href;
    settings = { DATABASE_URL: citus.ownerUrl, SLUICE_BLOB_STORE: store, SLUICE_WORKERS: '1' };
    await operator.sluiceJson('migrate', '--distribute', '--shards', '4');
    tenant = (await operator.sluiceJson<{ id: string }>('tenant', 'create', 'Acme')).id;
    await createUser(operator, tenant, 'ada@example.com');
    const key = await createKey(operator, tenant, 'ada@example.com');
    const api = await sandbox.startService(settings, undefined, ['--role', 'api']);
    client = createClient(api.url, key);
  });
  after(async () => {
    await sandbox.clear();
    await citus?.remove();
  });

  const sluice = async (...args: string[]) =>
    await sandbox.sluice(await sandbox.newDataDir(), args, settings);
  const operator: Operator = {
    sluiceJson: async (...args) => {
      const { code, stdout, stderr } = await sluice(...args, '--json');
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    },
  };
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
  const upload = async (...args: Parameters<Client['upload']>) => {
    const { status, body } = await client.upload(...args);
    assert.equal(status, 202, JSON.stringify(body));
    return body.data.id;
  };
  /** Seconds until the frames of a job, or of all jobs, can be claimed. */
  const queued = async (id?: string) => {
    const rows = await onNode<{ delay: number }>(
      citus.url,
      `select extract(epoch from available_at - clock_timestamp())::float8 as delay from sluice.frame_queue
       where ingestion_id = coalesce($1, ingestion_id)`,
      [id],
    );
    return rows.map(({ delay }) => delay);
  };
  const assertAvailable = async (id: string) => {
    const [delay = 1, ...others] = await queued(id);
    assert.ok(delay <= 0 && others.length === 0);
  };
  const frameOf = async (id: string) => {
    const rows = await onNode(
      citus.url,
      `select given_up_as, is_begun, failures, interruptions, done_at is not null as "isDone"
       from sluice.frames where ingestion_id = $1`,
      [id],
    );
    assert.equal(rows.length, 1);
    return rows[0];
  };
  const jobOf = async (id: string) => (await client.get(`/ingestions/${id}`)).body.data.attributes;
  const setFrame = (id: string, assignments: string) =>
    onNode(citus.url, `update sluice.frames set ${assignments} where ingestion_id = $1`, [id]);
  const runWorker = async (work: () => Promise<void>) => {
    const worker = sandbox.startSluice(await sandbox.newDataDir(), ['serve', '--role', 'worker'], settings);
    await worker.printed(/Sluice is ready/);
    await work();
    worker.signalGroup('SIGTERM');
    await worker.exited;
    // A warning would have been logged.
    assert.equal(worker.output.stderr, '');
  };

  const UNDONE = { given_up_as: null, is_begun: false, failures: 0, interruptions: 0, isDone: false };

  it('contains the frames of a new job', async () => {
    const id = await upload([record(), 'bad']);
    await assertAvailable(id);
    assert.deepEqual(await frameOf(id), UNDONE);
    assert.equal((await jobOf(id)).status, 'pending');
  });

  it('contains no frames of an upload whose key is in use, and none of a rejected upload', async () => {
    const id = await upload(['bad'], withKey('a'));
    const before = await queued();
    assert.equal(await upload(['bad'], withKey('a')), id);
    assert.equal((await client.upload(['other'], withKey('a'))).status, 422);
    await onNode(
      citus.url,
      'alter table sluice.ingestion_error_counts add constraint test check (count < 0) not valid',
    );
    assert.equal((await client.upload('{')).status, 500);
    await onNode(citus.url, 'alter table sluice.ingestion_error_counts drop constraint test');
    assert.equal((await queued()).length, before.length);
  });

  it('no longer contains a frame that was processed', async () => {
    const id = await upload(['bad']);
    await onNode(citus.url, 'delete from sluice.frame_queue where ingestion_id <> $1', [id]);
    await runWorker(async () => {
      const { attributes } = await client.ended(id);
      assert.deepEqual(
        [attributes.status, attributes.summary],
        ['failed', { total: 1, processed: 1, invalid: 1 }],
      );
    });
    assert.deepEqual(await queued(), []);
    assert.deepEqual(await frameOf(id), { ...UNDONE, is_begun: true, isDone: true });
  });

  it('loses a frame that is done without processing it again', async () => {
    const id = await upload(['bad']);
    await setFrame(id, 'done_at = now()');
    await runWorker(async () => {
      await until(async () => (await queued(id)).length === 0);
    });
    assert.deepEqual(await frameOf(id), { ...UNDONE, isDone: true });
    assert.deepEqual((await jobOf(id)).summary, { total: 1, processed: 0, invalid: 0 });
  });

  it('contains the end of a job with coverage until it has ended, and loses it without ending the job again', async () => {
    const found = record({ metadata: { event_code: 'check', product: { name: 'Scanner' } } });
    const id = await upload([found], { parts: { coverage: 'account' } });
    assert.equal((await queued(id)).length, 2);
    await runWorker(async () => {
      assert.equal((await client.ended(id)).attributes.status, 'completed');
    });
    assert.deepEqual(await queued(id), []);
    const ended = await jobOf(id);
    await onNode(
      citus.url,
      'insert into sluice.frame_queue (tenant_id, ingestion_id, number) select tenant_id, id, 1 from sluice.ingestions where id = $1',
      [id],
    );
    await runWorker(async () => {
      await until(async () => (await queued(id)).length === 0);
    });
    assert.deepEqual(await jobOf(id), ended);
    assert.equal((await client.get(`/ingestions/${id}`)).body.data.meta.warnings, 0);
  });

  it('delays a frame that does not exist, and loses it after an hour', async () => {
    for (const [number, minutes] of [
      [0, 2],
      [1, 61],
    ])
      await onNode(
        citus.url,
        `insert into sluice.frame_queue (tenant_id, ingestion_id, number, queued_at)
         values ($1, $2, $3, now() - $4 * interval '1 minute')`,
        [tenant, MISSING, number, minutes],
      );
    await runWorker(async () => {
      await until(async () => (await queued(MISSING)).every((delay) => delay > 0));
    });
    const [delay = 0, ...others] = await queued(MISSING);
    assert.deepEqual(others, []);
    assert.ok(delay > 100 && delay < 125, `${delay} seconds`);
  });

  it('contains the frames that an operator retries', async () => {
    const id = await upload(['bad']);
    await setFrame(id, `given_up_as = 'processing_failed', done_at = now(), failures = 6`);
    await onNode(citus.url, 'delete from sluice.frame_queue where ingestion_id = $1', [id]);
    await onNode(
      citus.url,
      `update sluice.ingestions set status = 'failed', processed = 1, invalid = 1, frames_done = 1, completed_at = now()
       where id = $1`,
      [id],
    );
    const retry = ['job', 'retry', '--tenant', tenant, id];
    assert.deepEqual(await operator.sluiceJson(...retry), { id, frames: 1, records: 1 });
    assert.match((await sluice(...retry)).stderr, /has no failed frames/);
    assert.deepEqual(await frameOf(id), { ...UNDONE, given_up_as: 'processing_failed' });
    assert.equal((await jobOf(id)).status, 'processing');
    await assertAvailable(id);
    await setFrame(id, `file_fault = 'file_missing', interruptions = 3`);
    await onNode(citus.url, `update sluice.frame_queue set available_at = now() + interval '1 hour'`);
    assert.deepEqual(await operator.sluiceJson(...retry), { id, frames: 1, records: 1 });
    await runWorker(async () => {
      assert.deepEqual((await client.ended(id)).attributes.summary, { total: 1, processed: 1, invalid: 1 });
    });
    assert.deepEqual(await frameOf(id), { ...UNDONE, is_begun: true, isDone: true });
  });
});
