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
    -- Removes statistics, which PostgreSQL would otherwise keep.
    if to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)') is not null then
      perform pg_clear_attribute_stats(current_schema(), relname, 'tenant_id', false) from pg_class where oid = remaining[1];
    else
      -- Before PostgreSQL 18, only a change of the type removes them, even to the same type. It rewrites nothing, but also locks
      -- the tables of foreign keys, so that it can wait for an upload that waits for the migration.
      execute format('alter table %s alter tenant_id type uuid', remaining[1]);
    end if;
    call isolate_by_tenant(remaining[1]);
  end if;
  perform set_config('sluice.is_incomplete', (cardinality(remaining) > 1)::text, true);
end $$;
