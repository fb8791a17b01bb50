import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createPool } from '../../src/db/connect.ts';
import { DatabaseUnavailable } from '../../src/db/database-errors.ts';
import { findMigrated } from '../../src/db/migrate.ts';
import { FRAMES_CHANNEL } from '../../src/db/notifications.ts';
import { retryJob } from '../../src/features/ingestions/retry-job.ts';
import { MAX_INTERRUPTIONS } from '../../src/ingest/worker/attempt-frame.ts';
import { createFirstTenant } from '../../src/process/first-start.ts';
import {
  createOwnCitusDatabase,
  getCitusSkipReason,
  type OwnCitusDatabase,
  onNode,
} from '../support/citus.ts';
import { type Client, createClient } from '../support/client.ts';
import { type FailingStatements, startFailingStatements } from '../support/failing-statements.ts';
import { holdPending } from '../support/held-jobs.ts';
import { CLOSING, filePart, partHead } from '../support/multipart.ts';
import { openUpload } from '../support/open-request.ts';
import { record } from '../support/records.ts';
import { assertTemporary } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { assertTrueCounts } from '../support/true-counts.ts';
import { until } from '../support/until.ts';

const UNAVAILABLE = [503, 'database_unavailable', '5'] as const;
const PROCESSED = { total: 1, processed: 1, invalid: 1 };
const DONE = { interruptions: 0, failures: 0, isDone: true, frames_done: 1 };
const MAX_STATEMENTS = 100;

/** Completing a frame fails on this node, as if its disk were full. */
const FILL_DISK = onShards(
  'frames',
  `create function public.disk_full() returns trigger language plpgsql
   as $$begin raise exception 'the disk is full' using errcode = 'disk_full'; end$$;`,
  'create trigger disk_full before update on sluice.%I for each row execute function public.disk_full()',
);
const FREE_DISK = onShards('frames', '', 'drop trigger disk_full on sluice.%I');

/** A tenant whose rows are on a known worker node. */
interface PlacedTenant extends Service {
  readonly client: Client;
}

type Broken = (attempt: () => Promise<void>) => Promise<void>;

describe('a node of a distributed database that fails', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: OwnCitusDatabase;
  let service: Service;
  let pool: pg.Pool;
  let first: PlacedTenant;
  let second: PlacedTenant;
  let proxy: FailingStatements | undefined;
  before(async () => {
    citus = await createOwnCitusDatabase();
    const dataDir = await sandbox.newDataDir();
    const settings = { DATABASE_URL: citus.url, SLUICE_WORKERS: '1' };
    const { code, stderr } = await sandbox.sluice(
      dataDir,
      ['migrate', '--distribute', '--shards', '4'],
      settings,
    );
    assert.equal(code, 0, stderr);
    service = await sandbox.startService(settings, dataDir);
    pool = createPool((await findMigrated(citus.url, false)).database, { applicationName: 'test', max: 1 });
    first = await createTenantOn(1);
    second = await createTenantOn(2);
  });
  after(async () => {
    await pool?.end();
    await sandbox.clear();
    await proxy?.stop();
    await citus?.remove();
  });

  const createTenantOn = async (node: number): Promise<PlacedTenant> =>
    await until(async () => {
      const { tenantId, key } = await createFirstTenant(pool);
      const [placement] = await onNode<{ port: number }>(
        citus.url,
        `select nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
         where shardid = get_shard_id_for_distribution_column('sluice.tenants', $1::uuid)`,
        [tenantId],
      );
      if (placement?.port !== Number(new URL(citus.workers[node - 1] ?? '').port)) return false;
      return { ...service, key, tenantId, client: createClient(service.url, key) };
    });
  const upload = async ({ client }: PlacedTenant, key: string) => {
    const { status, headers, body } = await client.upload(['bad'], { headers: { 'idempotency-key': key } });
    return { status, isReplayed: headers.get('idempotency-replayed') === 'true', id: body.data?.id ?? '' };
  };
  const accepted = async (tenant: PlacedTenant, key: string) => {
    const { status, id } = await upload(tenant, key);
    assert.equal(status, 202);
    return id;
  };
  const assertProcessed = async ({ client }: PlacedTenant, id: string) => {
    const { attributes } = await client.ended(id);
    assert.deepEqual([attributes.status, attributes.summary], ['failed', PROCESSED]);
    assert.deepEqual((await client.errors(id)).counts, { invalid_type: 1, no_detection_findings: 1 });
  };
  const jobsOf = async ({ client }: PlacedTenant) =>
    (await client.get<{ id: string }[]>('/ingestions?page[size]=100')).body.data.map(({ id }) => id).sort();
  const framesOf = async (id: string) =>
    await onNode(
      citus.url,
      `select f.interruptions, f.failures, f.done_at is not null as "isDone", i.frames_done from sluice.frames f
       join sluice.ingestions i on i.tenant_id = f.tenant_id and i.id = f.ingestion_id where i.id = $1`,
      [id],
    );

  it('makes the uploads of its tenants fail, and delays their frames; those of other tenants are processed', async () => {
    const release = await holdPending(service);
    const waiting = await accepted(first, 'waiting');
    const { request, response, send } = openUpload(first, { expect: '100-continue' });
    await once(request, 'continue');
    await send(partHead(filePart('')));
    citus.killNode(1);
    request.end(`[]\r\n${CLOSING}`);
    assertTemporary(await response, UNAVAILABLE);
    assertTemporary(await first.client.upload(['bad']), UNAVAILABLE);
    await release();
    await until(async () => service.output.stderr.includes('the database node of a tenant is unavailable'));
    for (const key of ['a', 'b']) await assertProcessed(second, await accepted(second, key));

    citus.startNode(1);
    await assertProcessed(first, waiting);
    assert.deepEqual(await framesOf(waiting), [DONE]);
    await assertProcessed(first, await accepted(first, 'after'));
    assert.equal((await jobsOf(first)).length, 2);
    assert.doesNotMatch(service.output.stderr, /backs off|"level":"error"/);
  });

  it('delays only the frames of its tenants while its disk is full', async () => {
    const [worker = ''] = citus.workers;
    await onNode(worker, FILL_DISK);
    const warned = /"err":\{[^{}]*"code":"53100".*"the database node of a tenant is unavailable/;
    const waiting = await accepted(first, 'full');
    await until(async () => warned.test(service.output.stderr));
    for (const key of ['c', 'd']) await assertProcessed(second, await accepted(second, key));
    await onNode(worker, FREE_DISK);
    await assertProcessed(first, waiting);
    assert.deepEqual(await framesOf(waiting), [DONE]);
    assert.doesNotMatch(service.output.stderr, /backs off|"level":"error"/);
  });

  /** Moves the connections of the coordinator to the first node to a proxy. */
  const startProxy = async () => {
    const [worker = ''] = citus.workers;
    const started = await startFailingStatements(worker);
    await onNode(
      citus.url,
      `select citus_update_node(nodeid, '127.0.0.1', $2::int) from pg_dist_node where nodeport = $1`,
      [new URL(worker).port, new URL(started.url).port],
    );
    return started;
  };
  /**
   * Runs the work for each statement that the coordinator sends to the node during `attempt`, and breaks the connection
   * during that statement, before or after the node has run it.
   */
  const breakEach = async (work: (name: string, broken: Broken) => Promise<void>) => {
    proxy ??= await startProxy();
    const faults = proxy;
    for (const fault of ['lost', 'unknown'] as const) {
      let failed: string | undefined;
      let n = 0;
      do {
        n++;
        await work(`${fault}-${n}`, async (attempt) => {
          faults.fault = fault;
          await faults.arm(n);
          await attempt();
          ({ failed } = await faults.disarm());
        });
      } while (failed !== undefined && n < MAX_STATEMENTS);
      assert.ok(n > 5 && n < MAX_STATEMENTS, `${n} statements`);
    }
  };

  it('leads to one job per upload, whichever statement fails', async () => {
    const release = await holdPending(service);
    const jobs = await jobsOf(first);
    await breakEach(async (key, broken) => {
      let response: Awaited<ReturnType<typeof upload>> | undefined;
      await broken(async () => {
        response = await upload(first, key);
      });
      const repeated = await upload(first, key);
      // Before the upload, the API key is looked up.
      const isAccepted = response?.status !== 503;
      assert.deepEqual([response?.status, repeated.status], [isAccepted ? 202 : 503, 202]);
      assert.equal(repeated.isReplayed, isAccepted);
      if (isAccepted) assert.equal(repeated.id, response?.id);
      jobs.push(repeated.id);
    });
    await release();
    for (const id of jobs) await assertProcessed(first, id);
    assert.deepEqual(await jobsOf(first), jobs.sort());
  });

  /** Makes the frame of a held job available until it is no longer queued. */
  const processHeld = async (id: string) => {
    await until(async () => {
      await onNode(
        citus.url,
        `update sluice.frame_queue set available_at = clock_timestamp()
         where ingestion_id = $1 and available_at > clock_timestamp()`,
        [id],
      );
      await onNode(citus.url, `notify ${FRAMES_CHANNEL}`);
      const queued = await onNode(citus.url, 'select from sluice.frame_queue where ingestion_id = $1', [id]);
      return queued.length === 0;
    });
  };

  it('leads to exact counts of each frame, whichever statement fails', async () => {
    const release = await holdPending(service);
    const uids = ['shared'];
    await breakEach(async (key, broken) => {
      // Each frame creates a provider, a check, a facet and a resource, and changes a finding.
      const created = record({
        finding_info: { uid: key },
        metadata: { event_code: key },
        cloud: { provider: 'aws', region: key, account: { uid: key } },
        resources: [{ uid: key }],
      });
      const file = [record({ finding_info: { uid: 'shared' } }), created, 'bad'];
      const id = (await first.client.upload(file)).body.data.id;
      uids.push(key);
      await broken(() => processHeld(id));
      const { attributes } = await first.client.ended(id);
      assert.deepEqual(attributes.summary, { total: 3, processed: 3, invalid: 1 });
      assert.deepEqual((await first.client.errors(id)).counts, { invalid_type: 1 });
      const [frame] = await framesOf(id);
      assert.deepEqual({ ...frame, interruptions: 0 }, DONE);
    });
    const { body } = await first.client.get<{ attributes: { uid: string } }[]>('/findings?page[size]=1000');
    assert.deepEqual(body.data.map(({ attributes }) => attributes.uid).sort(), uids.sort());
    await assertTrueCounts(service);
    await release();
  });

  it('leads to one further attempt at a frame that an operator retries, whichever statement fails', async () => {
    const release = await holdPending(service);
    await breakEach(async (key, broken) => {
      const id = await accepted(first, `retried-${key}`);
      await onNode(citus.url, 'update sluice.frames set interruptions = $2 where ingestion_id = $1', [
        id,
        MAX_INTERRUPTIONS,
      ]);
      await processHeld(id);
      assert.deepEqual((await first.client.errors(id)).counts, { processing_failed: 1 });
      const retry = async () => {
        await retryJob(pool, first.tenantId, id);
      };
      await broken(() => retry().catch((error) => assert.ok(error instanceof DatabaseUnavailable)));
      // The first command may have been successful.
      await retry().catch((error) => assert.match(String(error), /has no failed frames/));
      await processHeld(id);
      await assertProcessed(first, id);
      assert.deepEqual(await framesOf(id), [DONE]);
    });
    await release();
  });
});

/** A script that changes each shard of a table on the node that runs it. */
function onShards(table: string, before: string, statement: string): string {
  return `set citus.enable_ddl_propagation to off;
    set citus.enable_manual_changes_to_shards to on;
    set citus.override_table_visibility to off;
    ${before}
    do $do$ declare shard text; begin
      for shard in select relname from pg_class where relnamespace = 'sluice'::regnamespace and relname ~ '^${table}_\\d+$' loop
        execute format('${statement}', shard);
      end loop;
    end $do$`;
}
