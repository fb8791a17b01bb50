import type pg from 'pg';

/** All columns of `findings` in the current layout, except the tenant and generated columns. */
const COLUMNS = [
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
  'counted_as',
  'check_key',
  'facet_key',
  'resource_key',
  'scan_id',
  'uid',
  'status_detail',
] as const;

/** Creates a tenant with the same providers, checks and facets as another tenant, and returns its ID. */
export async function createTenantLike(sql: pg.Client, first: string, number: number): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into tenants (tenant_id, name, subscription) values (gen_random_uuid(), 'Tenant ' || $1::int, 'active')
     returning tenant_id as id`,
    [number],
  );
  const id = rows[0]?.id ?? '';
  await copyReferences(sql, first, id);
  return id;
}

/** Copies everything that findings refer to, except resources. Copies have the same IDs and keys. */
export async function copyReferences(sql: pg.Client, from: string, to: string): Promise<void> {
  for (const [table, columns] of [
    ['providers', 'id, type, account, name, last_seen_at'],
    [
      'checks',
      'key, provider_type, check_id, title, description, risk, remediation, "references", categories, seen_at',
    ],
    ['finding_facets', 'key, id, service, region, resource_type, product'],
  ])
    await sql.query(
      `insert into ${table} (tenant_id, ${columns}) select $1, ${columns} from ${table} where tenant_id = $2`,
      [to, from],
    );
}

/** Distinguishes the copies of a row within a tenant. */
const KEYS_PER_COPY = 1e9;

interface CopyOptions {
  /** Distinguishes the copies within a tenant. */
  readonly copy: number;
  /** The maximum number of findings; all by default. */
  readonly limit?: number;
}

/**
 * Copies rows as distinct findings of distinct resources with random IDs, through the existing indexes and in the row
 * order of a frame. The result is like a table that has grown over time, not one whose indexes were just built.
 */
export async function copyFindings(
  sql: pg.Client,
  from: string,
  to: string,
  { copy, limit }: CopyOptions,
): Promise<void> {
  const offset = copy * KEYS_PER_COPY;
  await sql.query(
    `insert into resources (tenant_id, key, id, provider_id, uid, name, type, region, service, labels, seen_at, uid_pattern)
     select $1, key + $3::bigint, gen_random_uuid(), provider_id, uid || '-' || $4::int, name, type, region, service, labels,
       seen_at, uid_pattern || '-' || $4::int
     from resources r where tenant_id = $2 and exists (
       select from (select resource_key from findings where tenant_id = $2 order by id limit $5) f where f.resource_key = r.key)
     order by 3`,
    [to, from, offset, copy, limit],
  );
  const copied = COLUMNS.map((name) => {
    if (name === 'id') return 'gen_random_uuid()';
    if (name === 'resource_key') return 'resource_key + $3::bigint';
    // Null if the uid has the pattern of the resource.
    return name === 'uid' ? "uid || '-' || $4::int" : name;
  });
  await sql.query(
    `insert into findings (tenant_id, ${COLUMNS.join(', ')})
     select $1, ${copied.join(', ')} from (select * from findings where tenant_id = $2 order by id limit $5) f order by 2`,
    [to, from, offset, copy, limit],
  );
  await sql.query(
    `insert into finding_total_changes (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
     select $1, provider_id, array_agg(check_key), array_agg(facet_key), array_agg(code), array_agg(count) from (
       select provider_id, check_key, facet_key, finding_count_code(severity, status, muted, delta) as code, count(*)::int as count
       from (select * from findings where tenant_id = $2 order by id limit $3) as copied group by 1, 2, 3, 4) as counted
     group by provider_id`,
    [to, from, limit],
  );
}
