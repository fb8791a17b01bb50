-- As before, without frames of the jobs that the caller has enough of.
drop function claim_frame(uuid);
create function claim_frame(after_tenant uuid, full_jobs uuid[] default '{}') returns setof frame_queue
  language plpgsql volatile as $$
declare
  -- the lowest uuid comes before every real one
  turn uuid := after_tenant;
  wrapped boolean := false;
begin
  loop
    select q.tenant_id into turn from frame_queue q
      where q.tenant_id > turn and q.available_at <= clock_timestamp() and q.ingestion_id <> all (full_jobs)
      order by q.tenant_id limit 1;
    if found then
      return query select q.* from frame_queue q
        where q.tenant_id = turn and q.available_at <= clock_timestamp() and q.ingestion_id <> all (full_jobs)
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
