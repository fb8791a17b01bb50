-- Policies call the function directly: a subquery in a policy cannot be pushed down to the shards of a distributed table.
create or replace procedure isolate_by_tenant(isolated regclass) language plpgsql as $$
begin
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
    execute format('alter policy tenant on %s using (tenant_id = current_tenant())', remaining[1]);
  end if;
  perform set_config('sluice.is_incomplete', (cardinality(remaining) > 1)::text, true);
end $$;
