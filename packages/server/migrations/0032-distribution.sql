-- The tenants of API keys in a database whose tables are distributed with Citus (`sluice migrate --distribute`): a key is looked up
-- before its tenant, and so its node, is known. Otherwise empty. Read across tenants, so without row level security.
create table api_key_prefixes (
  prefix text not null,
  tenant_id uuid not null,
  primary key (prefix, tenant_id)
);

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on api_key_prefixes to sluice_app;
  end if;
end $$;

-- On the nodes of a cluster, triggers run with the search path of any session.
create or replace function keep_house_for_tenant() returns trigger
  language plpgsql as $$
begin
  insert into sluice.tenant_housekeeping (tenant_id) values (new.tenant_id);
  return null;
end $$;

-- Citus computes values of the column by which a table is distributed itself, and supports only parameters.
create or replace function queue_garbage_collection() returns trigger
  language plpgsql as $$
declare
  tenant uuid := coalesce(new.tenant_id, old.tenant_id);
begin
  insert into sluice.garbage_collection_queue (tenant_id) values (tenant);
  return null;
end $$;

-- When the frame was done, if the tables are distributed: the node commits this with the results, and afterwards the
-- coordinator removes the frame from its queue. A frame that is done and still queued must not be processed again.
-- Otherwise null.
alter table frames add column if not exists done_at timestamptz;
