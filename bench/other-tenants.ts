import type { Service } from '../packages/server/test/support/service.ts';

/** So many findings has the tenant number 1, 2, ...: many small ones, some large. */
const MIXED_SIZES = [10, 50, 200, 1_000, 5_000];

/**
 * Makes tenants with findings, copied from the first tenant by SQL: 200 uploads would take longer than what is
 * measured, and leave the same rows.
 */
export async function makeOtherTenants(service: Service, count: number): Promise<void> {
  await service.sql(
    `with made as (
       insert into tenants (tenant_id, name, subscription)
       select gen_random_uuid(), 'Tenant ' || number, 'active' from generate_series(1, $1::int) as number
       returning tenant_id, name
     ), sized as (
       select tenant_id, ($3::int[])[1 + substring(name from 8)::int % array_length($3::int[], 1)] as size from made
     ), given_providers as (
       insert into providers (tenant_id, id, type, account, name)
       select made.tenant_id, p.id, p.type, p.account, p.name from made, providers p where p.tenant_id = $2
     )
     insert into findings (${COLUMNS})
     select sized.tenant_id, ${COLUMNS.replace('tenant_id, ', '')
       .split(', ')
       .map((name) => `f.${name}`)
       .join(', ')}
     from sized cross join lateral (select * from findings where tenant_id = $2 order by id limit size) f`,
    [count, service.tenantId, MIXED_SIZES],
  );
}

const COLUMNS = `tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes, status, severity, muted, first_seen_at, last_seen_at, status_changed_at, other_status_at, previous_status, previous_seen_at, previous_ingestion_id, check_id, uid, resource_uid, resource_name, resource_type, region, service, scan_uid, status_detail`;
