-- In a transaction of its own: workers lock the queue before the jobs, and uploads lock the jobs first. Otherwise, the migration and a
-- worker would wait for each other again and again.

-- The previous release would ingest the file, so it does not see these frames.
alter table frame_queue add column dry_run boolean not null default false;
drop function claim_frame(uuid, uuid[]);
-- As in migration 0020, and optionally with frames of dry runs.
create function claim_frame(after_tenant uuid, full_jobs uuid[] default '{}', with_dry_runs boolean default false)
  returns setof frame_queue
  language plpgsql volatile as $$
declare
  -- the lowest uuid comes before every real one
  turn uuid := after_tenant;
  wrapped boolean := false;
begin
  loop
    select q.tenant_id into turn from frame_queue q
      where q.tenant_id > turn and q.available_at <= clock_timestamp() and q.ingestion_id <> all (full_jobs)
        and (with_dry_runs or not q.dry_run)
      order by q.tenant_id limit 1;
    if found then
      return query select q.* from frame_queue q
        where q.tenant_id = turn and q.available_at <= clock_timestamp() and q.ingestion_id <> all (full_jobs)
          and (with_dry_runs or not q.dry_run)
        order by q.ingestion_id, q.number limit 1
        for update skip locked;
      exit when found or (wrapped and turn >= after_tenant);
    else
      exit when wrapped;
      wrapped := true;
      turn := '00000000-0000-0000-0000-000000000000';
    end if;
  end loop;
end $$;
