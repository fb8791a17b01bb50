-- Garbage collection finds its work by index and does not visit every tenant: ARCHITECTURE.md, "Garbage collection visits
-- only tenants that are due".

-- The oldest of a tenant's data that garbage collection has yet to examine, as of its last visit; null where there is none.
-- A tenant is due once one of these is older than its retention time. Existing tenants are due at once.
alter table tenant_housekeeping
  add column oldest_key_at timestamptz default '-infinity',
  add column oldest_file_at timestamptz,
  add column oldest_job_at timestamptz;
-- A new tenant has no data.
alter table tenant_housekeeping alter column oldest_key_at drop default;
create index tenant_housekeeping_keys on tenant_housekeeping (oldest_key_at);
create index tenant_housekeeping_files on tenant_housekeeping (oldest_file_at);
create index tenant_housekeeping_jobs on tenant_housekeeping (oldest_job_at);

-- Tenants whose data has changed since their last visit, one row per change: writers never wait for each other or for
-- garbage collection. It is read across all tenants, so it has no row level security and holds ids only.
create table garbage_collection_queue (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  primary key (tenant_id, id)
);
-- Sessions of the previous release fire the triggers as soon as this is committed.
do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on garbage_collection_queue to sluice_app;
  end if;
end $$;

-- Replaces tenant_housekeeping.done_at, which the previous release still reads and writes.
alter table blob_store add column garbage_collected_at timestamptz not null default clock_timestamp();
update blob_store set garbage_collected_at = coalesce((select min(done_at) from tenant_housekeeping), clock_timestamp());

-- The places, from 1, of the blobs whose job does not exist or has no file any more. Blobs of unknown tenants are left out.
create function find_unreferenced_blobs(tenants uuid[], jobs uuid[]) returns setof bigint
  language plpgsql as $$
declare
  owner uuid;
  ids uuid[];
  places bigint[];
begin
  for owner, ids, places in
    select b.tenant, array_agg(b.job), array_agg(b.place)
    from unnest(tenants, jobs) with ordinality as b (tenant, job, place)
    join tenant_housekeeping h on h.tenant_id = b.tenant
    group by b.tenant
  loop
    perform set_config('sluice.tenant_id', owner::text, true);
    return query
      select b.place from unnest(ids, places) as b (job, place)
      where not exists (
        select from ingestions i where i.tenant_id = owner and i.id = b.job and i.blob_removed_at is null);
  end loop;
end $$;

create function queue_garbage_collection() returns trigger
  language plpgsql as $$
begin
  insert into garbage_collection_queue (tenant_id)
    values (case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end);
  return null;
end $$;
-- Last, because from here on writers wait for the commit; in the order in which their transactions lock these tables.
create trigger queue_inserted after insert on ingestions
  for each row when (new.completed_at is not null) execute function queue_garbage_collection();
create trigger queue_updated after update of frames_done, completed_at on ingestions
  for each row when ((new.frames_done, new.completed_at) is distinct from (old.frames_done, old.completed_at))
  execute function queue_garbage_collection();
create trigger queue_keys after insert or update of inserted_at on idempotency_keys
  for each row execute function queue_garbage_collection();
create trigger queue_removed after delete on provider_removals
  for each row execute function queue_garbage_collection();
