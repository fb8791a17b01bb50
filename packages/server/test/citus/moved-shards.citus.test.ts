import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool } from '../../src/db/connect.ts';
import { findMigrated } from '../../src/db/migrate.ts';
import { createFirstTenant } from '../../src/process/first-start.ts';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason, onNode } from '../support/citus.ts';
import { type Client, createClient } from '../support/client.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { assertTrueCounts } from '../support/true-counts.ts';
import { until } from '../support/until.ts';

const TENANTS = 3;
const FINDINGS = 1500;
const FIRST_TIME = 1_780_000_000;

/** A tenant that uploads scans of the same findings, one after the other. */
interface Uploader {
  readonly tenantId: string;
  readonly client: Client;
  /** Scans uploaded so far. */
  scans: number;
}

describe('shards that are moved while their tenants upload', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  let service: Service;
  let uploaders: readonly Uploader[];
  before(async () => {
    citus = await createCitusDatabase();
    const dataDir = await sandbox.newDataDir();
    const settings = { DATABASE_URL: citus.url, SLUICE_WORKERS: '1' };
    const args = ['migrate', '--distribute', '--shards', '4'];
    const { code, stderr } = await sandbox.sluice(dataDir, args, settings);
    assert.equal(code, 0, stderr);
    service = await sandbox.startService(settings, dataDir);
    const { database } = await findMigrated(citus.url, false);
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const created: Uploader[] = [];
    for (let tenant = 0; tenant < TENANTS; tenant++) {
      const { tenantId, key } = await createFirstTenant(pool);
      created.push({ tenantId, client: createClient(service.url, key), scans: 0 });
    }
    uploaders = created;
    await pool.end();
  });
  after(async () => {
    await sandbox.clear();
    await citus?.remove();
  });

  /** Uploads scans of all tenants without a pause, from before the work begins until after its end. */
  const uploadDuring = async (work: () => Promise<void>) => {
    let isDone = false;
    const uploads = uploaders.map(async (uploader) => {
      while (!isDone) await uploadScan(uploader);
      await uploadScan(uploader);
    });
    const begun = uploaders.map(({ scans }) => scans);
    await until(async () => uploaders.every(({ scans }, at) => scans > (begun[at] ?? 0)));
    await work().finally(() => {
      isDone = true;
    });
    await Promise.all(uploads);
  };
  const moveShardOf = async ({ tenantId }: Uploader): Promise<void> => {
    const [move] = await onNode<{ shard: string; from: number; to: number }>(
      citus.url,
      `select s.shardid as shard, s.nodeport as from, n.nodeport as to
       from citus_shards s join pg_dist_node n on n.nodeport <> s.nodeport and n.shouldhaveshards
       where s.shardid = get_shard_id_for_distribution_column('sluice.tenants', $1::uuid)`,
      [tenantId],
    );
    assert.ok(move);
    await onNode(citus.url, `select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3)`, [
      move.shard,
      move.from,
      move.to,
    ]);
    const [now] = await onNode<{ port: number }>(
      citus.url,
      'select nodeport as port from citus_shards where shardid = $1',
      [move.shard],
    );
    assert.equal(now?.port, move.to);
    // Citus drops the old shard later if a transaction uses it. Until then, the shard cannot be moved back.
    await until(async () => {
      await onNode(citus.url, 'call citus_cleanup_orphaned_resources()');
      return (await onNode(citus.url, 'select from pg_dist_cleanup')).length === 0;
    });
    // With statistics, PostgreSQL would expect no rows of tenants that come later (migration 0025).
    const targets = await onNode(
      citus.url,
      `select distinct result from run_command_on_placements('sluice.findings',
         $$select attstattarget from pg_attribute where attrelid = '%s'::regclass and attname = 'tenant_id'$$)`,
    );
    assert.deepEqual(targets, [{ result: '0' }]);
  };
  const assertComplete = async () => {
    for (const { client, scans } of uploaders) {
      const jobs = await client.get<{ attributes: { status: string; summary: unknown } }[]>(
        '/ingestions?page[size]=1000',
      );
      const summary = { total: FINDINGS, processed: FINDINGS, invalid: 0 };
      assert.deepEqual(
        jobs.body.data.map(({ attributes: { status, summary } }) => ({ status, summary })),
        Array.from({ length: scans }, () => ({ status: 'completed', summary })),
      );
      const { body } = await client.get<{ attributes: { count: number; by_status: { FAIL: number } } }>(
        '/findings/summary',
      );
      const { count, by_status } = body.data.attributes;
      assert.deepEqual([count, by_status.FAIL], [FINDINGS, failing(scans - 1)]);
    }
    await assertTrueCounts(service);
  };

  it('keeps every record of a tenant that is moved to the other node and back', async () => {
    const [moved] = uploaders;
    assert.ok(moved);
    await uploadDuring(async () => {
      await moveShardOf(moved);
      await moveShardOf(moved);
    });
    await assertComplete();
  });

  it('keeps every record of all tenants while shards are rebalanced', async () => {
    const [moved] = uploaders;
    assert.ok(moved);
    // A new cluster is balanced.
    await moveShardOf(moved);
    await uploadDuring(async () => {
      await onNode(citus.url, 'select citus_rebalance_start()');
      await onNode(citus.url, 'select citus_rebalance_wait()');
    });
    const shards = await onNode<{ count: number }>(
      citus.url,
      `select count(*)::int as count from citus_shards where table_name = 'sluice.tenants'::regclass group by nodeport`,
    );
    assert.deepEqual(shards, [{ count: 2 }, { count: 2 }]);
    await assertComplete();
  });
});

async function uploadScan(uploader: Uploader): Promise<void> {
  const number = uploader.scans;
  const records = Array.from({ length: FINDINGS }, (_, finding) =>
    record({
      time: FIRST_TIME + number,
      status_code: isFailing(number, finding) ? 'FAIL' : 'PASS',
      finding_info: { uid: `finding-${finding}` },
      resources: [{ uid: `resource-${finding % 100}`, name: 'one', type: 'Bucket' }],
    }),
  );
  await uploader.client.ingest(records);
  uploader.scans++;
}

function isFailing(scan: number, finding: number): boolean {
  return (scan + finding) % 3 === 0;
}

function failing(scan: number): number {
  return Array.from({ length: FINDINGS }, (_, finding) => isFailing(scan, finding)).filter(Boolean).length;
}
