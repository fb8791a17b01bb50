-- Queues the frames that the previous release has processed. In a migration of its own, because 0030-reread-queue.sql blocks
-- uploads. This release stores frames with an extract.
do $$
declare
  tenant uuid;
begin
  -- Tenant by tenant, because suspending row level security would lock the tables.
  for tenant in select tenant_id from tenant_housekeeping loop
    perform set_config('sluice.tenant_id', tenant::text, true);
    insert into reread_queue
      select f.tenant_id, f.ingestion_id, f.number
      from frames f join ingestions i on i.tenant_id = f.tenant_id and i.id = f.ingestion_id
      where f.tenant_id = tenant and f.extract_bytes is null and i.blob_removed_at is null
        and not exists (select from frame_queue q
          where (q.tenant_id, q.ingestion_id, q.number) = (f.tenant_id, f.ingestion_id, f.number))
      on conflict do nothing;
  end loop;
end $$;
