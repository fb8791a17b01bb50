-- Policies call the function directly: a subquery in a policy cannot be pushed down to the shards of a distributed table.
-- Statistics of tenants say that a tenant created later has no rows. Any index that begins with tenant_id then seems as good as the one
-- that a lookup needs. Without statistics, PostgreSQL expects that each tenant has one in 200 rows.
create or replace procedure isolate_by_tenant(isolated regclass) language plpgsql as $$
begin
  execute format('alter table %s alter tenant_id set statistics 0', isolated);
  execute format('alter table %s enable row level security, force row level security', isolated);
  execute format('create policy tenant on %s using (tenant_id = current_tenant())', isolated);
end $$;

-- One table per transaction, because a migration that locks two tables that reads use can wait for a read that waits for the
-- migration.
do $$
declare
  remaining regclass[] := array(
    select polrelid from pg_policy join pg_class on pg_class.oid = polrelid
    where polname = 'tenant' and relnamespace = current_schema()::regnamespace
      and pg_get_expr(polqual, polrelid) like '%SELECT%' order by relname);
begin
  if cardinality(remaining) > 0 then
    execute format('drop policy tenant on %s', remaining[1]);
    -- Changing the type, even to the same one, removes statistics, which PostgreSQL would otherwise keep. It rewrites nothing.
    execute format('alter table %s alter tenant_id type uuid', remaining[1]);
    call isolate_by_tenant(remaining[1]);
  end if;
  perform set_config('sluice.is_incomplete', (cardinality(remaining) > 1)::text, true);
end $$;
