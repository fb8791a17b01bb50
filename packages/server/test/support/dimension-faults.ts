import pg from 'pg';
import { countDifferences } from './true-counts.ts';

/** Queries that return the faults of a database in the layout of earlier releases, as JSON. */
const FAULTS: Readonly<Record<string, string>> = {
  'a total differs from the findings': countDifferences(
    '(select * from sluice.findings where facet_key is not null) as backfilled',
  ),
  'a finding has only some keys': `
    select id, check_key, facet_key, resource_key, scan_id, resource_uid from findings
    where (check_key is null) <> (facet_key is null) or (check_key is null) <> (scan_id is null)
      or (check_key is null or resource_uid is null) <> (resource_key is null)`,
  'a finding has no keys, although its tenant is backfilled': `
    select id from findings f where facet_key is null
      and not exists (select from finding_backfills b where b.tenant_id = f.tenant_id)
      and exists (select from providers p where p.tenant_id = f.tenant_id and p.id = f.provider_id and deleted_at is null)`,
  'a key differs from the attributes of its finding': `
    select f.id, row_to_json(c) as "check", row_to_json(a) as facet, row_to_json(r) as resource
    from findings f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
    left join checks c on c.tenant_id = f.tenant_id and c.key = f.check_key
    left join finding_facets a on a.tenant_id = f.tenant_id and a.key = f.facet_key
    left join resources r on r.tenant_id = f.tenant_id and r.key = f.resource_key
    where f.facet_key is not null
      and ((c.provider_type, c.check_id, a.service, a.region, a.resource_type, r.uid)
          is distinct from (p.type, f.check_id, f.service, f.region, f.resource_type, f.resource_uid)
        or r.provider_id <> f.provider_id)`,
  'a resource does not have the attributes of its newest finding': `
    select row_to_json(r) as resource from resources r
    cross join lateral (select max(last_seen_at) as at from findings f
      where f.tenant_id = r.tenant_id and f.resource_key = r.key) as newest
    where newest.at >= r.seen_at
      and not exists (select from findings f where f.tenant_id = r.tenant_id and f.resource_key = r.key
        and f.last_seen_at = newest.at and (f.resource_name, f.resource_type, f.region, f.service)
          is not distinct from (r.name, r.type, r.region, r.service))`,
  'two resources have the same provider and uid': `
    select provider_id, uid from resources group by tenant_id, provider_id, uid having count(*) > 1`,
  'two facets have the same attributes': `
    select service, region, resource_type, product from finding_facets
    group by tenant_id, service, region, resource_type, product having count(*) > 1`,
  'a finding has the id of a scan that does not exist': `
    select id from findings f where scan_id is not null
      and not exists (select from scans s where s.tenant_id = f.tenant_id and s.id = f.scan_id)`,
  'the resource of a deleted provider was not removed': `
    select id from resources r where not exists (select from providers p
        where p.tenant_id = r.tenant_id and p.id = r.provider_id and deleted_at is null)
      and not exists (select from provider_removals p where p.tenant_id = r.tenant_id and p.provider_id = r.provider_id)`,
};

/**
 * Compares the keys of findings, their checks, facets and resources, and the totals with the columns that earlier
 * releases read and write. Returns descriptions of up to five faults of each type. `url` is that of a superuser.
 */
export async function findDimensionFaults(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=sluice' });
  await client.connect();
  try {
    // All queries must see the same state.
    await client.query('begin isolation level repeatable read, read only');
    const faults: string[] = [];
    for (const [title, query] of Object.entries(FAULTS)) {
      const { rows } = await client.query(`${query} limit 5`);
      faults.push(...rows.map((row) => `${title}: ${JSON.stringify(row)}`));
    }
    return faults;
  } finally {
    await client.end();
  }
}

/** The number of tenants whose findings are not backfilled yet. */
export async function countTenantsToBackfill(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=sluice' });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>('select count(*)::int from finding_backfills');
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
