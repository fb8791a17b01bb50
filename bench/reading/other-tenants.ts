import type pg from 'pg';
import {
  CREATE_FINDING_CHANGES,
  updateFindingCounts,
} from '../../packages/server/src/ingest/merge/merge-findings.ts';

/** Finding counts of the new tenants, used cyclically: many small tenants and a few large tenants. */
const MIXED_SIZES = [10, 50, 200, 1_000, 5_000];

/** All columns of `findings` except the tenant and generated columns. */
export const FINDING_COLUMNS = [
  'id',
  'provider_id',
  'ingestion_id',
  'record_index',
  'frame',
  'record_offset',
  'record_bytes',
  'status',
  'severity',
  'muted',
  'first_seen_at',
  'last_seen_at',
  'status_changed_at',
  'other_status_at',
  'previous_status',
  'previous_seen_at',
  'previous_ingestion_id',
  'check_id',
  'uid',
  'resource_uid',
  'resource_name',
  'resource_type',
  'region',
  'service',
  'scan_uid',
  'status_detail',
] as const;
const COLUMNS = FINDING_COLUMNS.join(', ');

/**
 * Creates tenants with findings that are copied from the first tenant by SQL. Uploads would take longer and produce the
 * same rows.
 */
export async function createOtherTenants(sql: pg.Client, first: string, count: number): Promise<void> {
  await sql.query(CREATE_FINDING_CHANGES);
  for (let number = 1; number <= count; number++) {
    await sql.query('begin');
    const id = await createTenantLike(sql, first, number);
    await sql.query(
      `insert into findings (tenant_id, ${COLUMNS})
       select $1, ${COLUMNS} from findings where tenant_id = $2 order by id limit $3`,
      [id, first, MIXED_SIZES[number % MIXED_SIZES.length]],
    );
    await updateFindingCounts(sql, id);
    await sql.query('commit');
  }
}

/** Creates a tenant with the same providers as another tenant, and returns its ID. */
export async function createTenantLike(sql: pg.Client, first: string, number: number): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into tenants (tenant_id, name, subscription) values (gen_random_uuid(), 'Tenant ' || $1::int, 'active')
     returning tenant_id as id`,
    [number],
  );
  const id = rows[0]?.id ?? '';
  await copyProviders(sql, first, id);
  return id;
}

export async function copyProviders(sql: pg.Client, from: string, to: string): Promise<void> {
  await sql.query(
    `insert into providers (tenant_id, id, type, account, name)
     select $1, id, type, account, name from providers where tenant_id = $2`,
    [to, from],
  );
}
