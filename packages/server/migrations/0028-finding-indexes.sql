-- In a migration of its own, because 0024-resources-and-totals.sql blocks reads. This one only blocks uploads.

-- Neither time changes with every scan, so updates stay HOT. The ids would make the indexes seven times as large.
create index findings_first_seen on findings (tenant_id, first_seen_at);
create index findings_status_changed on findings (tenant_id, status_changed_at);

-- Covers the queries that group open failing findings, which also select status and muted. It omits columns that change with
-- every scan, because an index on them would prevent HOT updates.
create index findings_failing on findings
  (tenant_id, check_key, resource_key, facet_key, provider_id, severity, status_changed_at) include (status, muted)
  where status = 'FAIL' and not muted and resolved_at is null;

-- Most tenants have no resolved findings, or few.
create index findings_resolved on findings (tenant_id, provider_id) where resolved_at is not null;

-- Last: with outdated statistics, PostgreSQL prefers the newest of several indexes that begin with tenant_id.
create index findings_check_provider on findings (tenant_id, check_key, provider_id);
create index findings_resource on findings (tenant_id, resource_key);

do $$ begin
  -- For the lookup of a uid, and for whether a tenant has any stored uid. The previous layout stores all uids.
  if not exists (select from pg_trigger where tgrelid = 'findings'::regclass and tgname = 'note_insertions') then
    create index findings_uid on findings using hash (uid) where uid is not null;
    create index findings_with_uid on findings (tenant_id) where uid is not null;
  end if;
end $$;
