import type pg from 'pg';
import { FINDING_TOTALS_LOCK_CLASS } from '../../src/db/advisory-locks.ts';
import { foldTotals } from '../../src/ingest/merge/finding-totals.ts';
import type { TenantService } from './service.ts';

type Tenant = Pick<TenantService, 'connect' | 'tenantId'>;

const DETOUR_HOURS = 1_000_000;

/**
 * Makes everything that the trend of a tenant has learned so far this many hours older, as if the time had passed. The
 * changes must not be added to the trend in the meantime.
 */
export async function makeOlder({ connect, tenantId }: Tenant, hours: number): Promise<void> {
  // Without a time zone, because Citus supports only immutable functions of columns in updates.
  const older = (column: string, interval: string) =>
    `${column} = (${column} at time zone 'UTC' - interval '${interval}') at time zone 'UTC'`;
  const age = `${hours} hours`;
  await inTransaction(connect, async (client) => {
    await client.query('select pg_advisory_xact_lock($2, hashtext($1))', [
      tenantId,
      FINDING_TOTALS_LOCK_CLASS,
    ]);
    for (const statement of [
      `update finding_total_changes set ${older('inserted_at', age)}`,
      // Otherwise, an hour could be moved to one that has not been moved yet.
      `update failing_finding_changes set ${older('starts_at', `-${DETOUR_HOURS} hours`)}`,
      `update failing_finding_changes set ${older('starts_at', `${DETOUR_HOURS + hours} hours`)}`,
      `update providers set ${older('created_at', age)}, ${older('deleted_at', age)}`,
      `update finding_trend_starts set ${older('started_at', age)}`,
    ])
      await client.query(`${statement} where tenant_id = $1`, [tenantId]);
  });
}

/** Adds the pending changes of a tenant to its totals and its trend, which workers do if there are enough of them. */
export async function foldPending({ connect, tenantId }: Tenant): Promise<void> {
  await inTransaction(connect, (client) => foldTotals(client, tenantId));
}

async function inTransaction(
  connect: Tenant['connect'],
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
