-- Uploads that are accepted from now on begin with no changes.
alter table ingestions alter change_counts set default array_fill(0, array[96]);

-- The previous release does not count changes, so that the counts of an upload of which it processes a frame are unknown (see
-- migration 0030). Scans that a later frame of the upload creates get the counts of the upload (change-counts.ts).
create or replace function queue_reread() returns trigger
  language plpgsql as $$
begin
  insert into reread_queue values (old.tenant_id, old.ingestion_id, old.number) on conflict do nothing;
  update ingestions set change_counts = null where tenant_id = old.tenant_id and id = old.ingestion_id;
  update scans set change_counts = null where tenant_id = old.tenant_id and ingestion_id = old.ingestion_id;
  return null;
end $$;
