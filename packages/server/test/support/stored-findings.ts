/**
 * SQL subquery of all findings with the values that findings store by key: check, facet, resource and scan. It uses left
 * joins, so that a finding whose key has no row is not omitted. Requires an alias: `select f.uid from ${STORED_FINDINGS} f`.
 */
export const STORED_FINDINGS = `(
  select f.tenant_id, f.id, f.provider_id, f.ingestion_id, f.frame, f.record_index, f.record_offset, f.record_bytes,
    f.status, f.severity, f.muted, f.delta, f.first_seen_at, f.last_seen_at, f.status_changed_at, f.other_status_at, f.status_detail,
    f.previous_status, f.previous_seen_at, f.previous_ingestion_id,
    c.check_id, coalesce(f.uid, replace(r.uid_pattern, U&'\\0001', c.check_id)) as uid, f.uid is not null as has_own_uid,
    r.uid as resource_uid, r.name as resource_name, a.resource_type, a.region, a.service, a.product, s.uid as scan_uid
  from sluice.findings f
  left join sluice.checks c on c.tenant_id = f.tenant_id and c.key = f.check_key
  left join sluice.finding_facets a on a.tenant_id = f.tenant_id and a.key = f.facet_key
  left join sluice.resources r on r.tenant_id = f.tenant_id and r.key = f.resource_key
  left join sluice.scans s on s.tenant_id = f.tenant_id and s.id = f.scan_id
)`;
