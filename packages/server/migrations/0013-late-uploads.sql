-- What the scan that a finding has its state from has counted it as, where an earlier upload, worked on later, has changed
-- the delta since; null as a rule, when it takes no room. A later frame of the same upload takes from the count what was
-- added to it.
alter table findings add column counted_as finding_delta;

create or replace function note_finding_changes() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into finding_changes
      select provider_id, ingestion_id, scan_uid, coalesce(service, ''), severity, status, muted, delta,
        coalesce(counted_as, delta), -count(*), max(last_seen_at)
      from replaced group by provider_id, ingestion_id, scan_uid, service, severity, status, muted, delta, counted_as;
  end if;
  insert into finding_changes
    select provider_id, ingestion_id, scan_uid, coalesce(service, ''), severity, status, muted, delta,
      coalesce(counted_as, delta), count(*), max(last_seen_at)
    from written group by provider_id, ingestion_id, scan_uid, service, severity, status, muted, delta, counted_as;
  return null;
end $$;
