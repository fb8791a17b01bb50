import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { FRAMES_CHANNEL } from '../../src/db/notifications.ts';
import { databaseOf, operatorOf } from '../support/administration.ts';
import { ageFile, ageJob, countsOf, type GcReport, NOTHING } from '../support/aged-data.ts';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { SESSIONS } from '../support/database-activity.ts';
import { holdPending } from '../support/held-jobs.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { record } from '../support/records.ts';
import { blobsOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import { type Environment, type Service, settings } from '../support/service.ts';
import { until } from '../support/until.ts';

const IDLE_TENANTS = 40;
/** Records per frame. */
const FRAME_RECORDS = 5000;

// Uses a separate service: each garbage collection visits all tenants with changes.
describe('garbage collection of tenants that are due', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => sandbox.clear());

  /** Returns the items that `sluice gc` collects with these settings. */
  const gc = async (environment: Environment = {}) => {
    const env = settings(service.dataDir, environment);
    const { sluiceJson } = operatorOf(env, async () => databaseOf(service.databaseUrl));
    return countsOf(await sluiceJson<GcReport>('gc'));
  };
  let times = 1_780_000_000;
  /** Creates a job with a newer state of this finding than all previous jobs. */
  const ingest = async (uid: string, idempotencyKey?: string) => {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return (await client.ingest([record({ finding_info: { uid }, time: times++ })], { headers })).id;
  };
  /** Creates a job that ended this many days ago and whose only finding has been replaced. */
  const unreferencedJob = async (days: number) => {
    const uid = randomUUID();
    const id = await ingest(uid);
    await ingest(uid);
    await ageJob(service, id, days);
    return id;
  };
  /** Waits until no work is pending and no tenant is due. */
  const idle = async () => {
    await until(
      async () => (await service.sql('select from ingestions where completed_at is null')).length === 0,
    );
    await gc();
  };
  const countStatements = async (t: TestContext, work: () => Promise<unknown>) => {
    const { mock } = t.mock.method(pg.Client.prototype, 'query');
    await work();
    const count = mock.callCount();
    mock.restore();
    return count;
  };

  it('sends no more statements for many idle tenants than for a single tenant', async (t) => {
    await idle();
    const statementsForOne = await countStatements(t, gc);
    await service.sql(
      `insert into tenants (tenant_id, name, subscription)
       select gen_random_uuid(), 'Idle', 'active' from generate_series(1, $1)`,
      [IDLE_TENANTS],
    );
    await service.sql(
      `insert into ingestions (tenant_id, id, received_bytes, bytes, total, processed, frames, frames_done, requested_at,
         completed_at, api_key_id, status)
       select tenant_id, gen_random_uuid(), 1, 1, 1, 1, 1, 1, now(), now(), gen_random_uuid(), 'completed'
       from tenants where name = 'Idle'`,
    );
    assert.ok(
      (await countStatements(t, gc)) > statementsForOne + IDLE_TENANTS,
      'the statements were not counted',
    );
    assert.equal(await countStatements(t, gc), statementsForOne);
  });

  it('applies shorter retention times to tenants that are not due', async () => {
    await unreferencedJob(10);
    await ingest(randomUUID(), '30-hours-old');
    await service.sql(
      `update idempotency_keys set inserted_at = now() - interval '30 hours' where key = '30-hours-old'`,
    );
    assert.deepEqual(await gc(), NOTHING);
    assert.deepEqual(await gc({ SLUICE_IDEMPOTENCY_KEY_HOURS: '29' }), { ...NOTHING, idempotency_keys: 1 });
    assert.deepEqual(await gc({ SLUICE_FRAME_RETENTION_DAYS: '9' }), { ...NOTHING, files: 1 });
    assert.deepEqual(await gc({ SLUICE_JOB_RETENTION_DAYS: '9' }), { ...NOTHING, jobs: 1 });
  });

  itInWholeRun(
    'on the next run, collects data that became unreferenced during the previous run',
    async () => {
      const uid = randomUUID();
      const referenced = await ingest(uid);
      await ageJob(service, referenced, 31);
      const unreferenced = await unreferencedJob(31);
      const holder = await service.connect();
      try {
        await holder.query('begin');
        await holder.query('select from ingestions where id = $1 for update', [unreferenced]);
        const run = gc();
        await until(async () => {
          const waiting = await service.sql(
            `select from ${SESSIONS} where wait_event_type = 'Lock' and query ~ 'blob_removed_at'`,
          );
          return waiting.length > 0;
        });
        await ingest(uid);
        await holder.query('rollback');
        assert.deepEqual(await run, { ...NOTHING, files: 1 });
      } finally {
        await holder.end();
      }
      assert.deepEqual(await gc(), { ...NOTHING, files: 1 });
    },
  );

  itInWholeRun('collects data that the first frame of an unfinished job made unreferenced', async () => {
    const uid = randomUUID();
    const id = await ingest(uid);
    await ageJob(service, id, 31);
    const release = await holdPending(service);
    try {
      const newer = record({ finding_info: { uid }, time: times++ });
      const { body } = await client.upload([newer, ...Array(FRAME_RECORDS).fill({})]);
      assert.deepEqual(await gc(), NOTHING);
      await service.sql(
        `with first as (update frame_queue set available_at = clock_timestamp() where number = 0)
         select pg_notify('${FRAMES_CHANNEL}', '')`,
      );
      await until(async () => {
        const { summary } = (await client.get(`/ingestions/${body.data.id}`)).body.data.attributes;
        return summary.processed === FRAME_RECORDS;
      });
      assert.deepEqual(await gc(), { ...NOTHING, files: 1 });
    } finally {
      await release();
    }
  });

  it('collects the idempotency key of a job that has not ended', async () => {
    await idle();
    const release = await holdPending(service);
    const owner = await service.connect();
    try {
      const headers = { 'idempotency-key': 'of-a-pending-job' };
      const { body } = await client.upload([record()], { headers });
      // Disables triggers, so that only the upload itself can make the tenant due.
      await owner.query('set session_replication_role = replica');
      await owner.query(
        `update idempotency_keys set inserted_at = now() - interval '3 days' where key = 'of-a-pending-job'`,
      );
      assert.deepEqual(await gc(), { ...NOTHING, idempotency_keys: 1 });
      await release();
      await client.ended(body.data.id);
    } finally {
      await release();
      await owner.end();
    }
  });

  itInWholeRun(
    'on the next run, collects data from a transaction that was open during the previous run',
    async () => {
      const id = await unreferencedJob(1);
      const writer = await service.connect();
      try {
        await writer.query('begin');
        await writer.query(`update ingestions set completed_at = now() - interval '31 days' where id = $1`, [
          id,
        ]);
        assert.deepEqual(await gc(), NOTHING);
        await writer.query('commit');
      } finally {
        await writer.end();
      }
      assert.deepEqual(await gc(), { ...NOTHING, files: 1 });
    },
  );

  it('applies the default retention times after a run with longer retention times', async () => {
    await unreferencedJob(31);
    assert.deepEqual(await gc({ SLUICE_FRAME_RETENTION_DAYS: '100' }), NOTHING);
    assert.deepEqual(await gc(), { ...NOTHING, files: 1 });
  });

  it('collects the file of a job whose findings were removed with their provider', async () => {
    const account = '444455556666';
    const { id } = await client.ingest([
      record({ finding_info: { uid: randomUUID() }, cloud: { account: { uid: account } } }),
    ]);
    await ageJob(service, id, 31);
    assert.deepEqual(await gc(), NOTHING);
    const { body } = await client.get<Resource[]>(`/providers?filter[account]=${account}`);
    const { status } = await client.send(`/providers/${body.data[0]?.id}`, { method: 'DELETE' });
    assert.equal(status, 204);
    await until(async () => (await service.sql('select from provider_removals')).length === 0);
    assert.deepEqual(await gc(), { ...NOTHING, files: 1 });
  });

  it('removes a blob whose ID matches only a job of another tenant', async () => {
    const second = await createSecondTenant(service);
    const id = await ingest(randomUUID());
    const ownBlob = (await blobsOf(service.dataDir)).find((file) => file.includes(id)) ?? '';
    const foreign = ownBlob.replace(service.tenantId, second.id);
    await mkdir(path.dirname(foreign), { recursive: true });
    await copyFile(ownBlob, foreign);
    for (const file of [ownBlob, foreign]) await ageFile(file, 25);
    assert.deepEqual(await gc(), { ...NOTHING, orphan_blobs: 1 });
    const remaining = await blobsOf(service.dataDir);
    assert.deepEqual([remaining.includes(ownBlob), remaining.includes(foreign)], [true, false]);
  });
});
