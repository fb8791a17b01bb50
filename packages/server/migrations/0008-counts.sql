-- How many findings there are of each kind: what summaries and lists would otherwise go through all findings for. Each
-- frame adds what it has changed at the end of its transaction, so a reader sees findings and counts of one moment.
create table finding_counts (
  tenant_id uuid not null references tenants,
  -- No foreign key: as in findings.
  provider_id uuid not null,
  -- empty: the findings name none, for a key holds no null
  service text not null,
  severity smallint not null,
  status finding_status not null,
  muted boolean not null,
  delta finding_delta not null,
  number bigint not null,
  -- the time of the newest record that was ever counted here
  last_seen_at timestamptz not null,
  primary key (tenant_id, provider_id, severity, status, muted, delta, service)
) with (fillfactor = 50);
call isolate_by_tenant('finding_counts');

-- What a statement has done to the findings goes into the session's temporary table finding_changes (made by
-- jobs/count-findings.ts), and from there into the counts when the transaction ends: adding it here would lock what
-- frames share for as long as they merge. Without that table nothing can be inserted into findings, and no row changed.
create function note_finding_changes() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into finding_changes
      select provider_id, ingestion_id, scan_uid, coalesce(service, ''), severity, status, muted, delta, -count(*), max(last_seen_at)
      from replaced group by provider_id, ingestion_id, scan_uid, service, severity, status, muted, delta;
  end if;
  insert into finding_changes
    select provider_id, ingestion_id, scan_uid, coalesce(service, ''), severity, status, muted, delta, count(*), max(last_seen_at)
    from written group by provider_id, ingestion_id, scan_uid, service, severity, status, muted, delta;
  return null;
end $$;

-- What is there already. The owner has to see all tenants for once.
alter table findings no force row level security;
alter table finding_counts no force row level security;
insert into finding_counts (tenant_id, provider_id, service, severity, status, muted, delta, number, last_seen_at)
  select tenant_id, provider_id, coalesce(service, ''), severity, status, muted, delta, count(*), max(last_seen_at)
  from findings group by tenant_id, provider_id, service, severity, status, muted, delta;
alter table findings force row level security;
alter table finding_counts force row level security;

create trigger note_insertions after insert on findings
  referencing new table as written
  for each statement execute function note_finding_changes();
create trigger note_updates after update on findings
  referencing old table as replaced new table as written
  for each statement execute function note_finding_changes();

-- The triggers know what a row replaces.
alter table findings drop column replaced_delta, drop column replaced_scan_uid;

-- Findings of one severity and status stand in the order of their ids in this index, or, where they are many, close enough
-- to each other in the primary key. Row level security keeps the comparison of an enum out of an index, for it is not
-- leakproof: the status can only be in the predicate. A check's findings are not in order, so that their entries share
-- one key: each index costs an ingestion more than the row itself does, this one half of what it would with the id.
drop index findings_severity;
create index findings_severity on findings (tenant_id, severity, id)
  where status <> 'PASS' or severity not in (2, 3, 4);
drop index findings_check;
create index findings_check on findings (tenant_id, check_id);

-- As the delta changed. A column of its own, because the delta of every finding becomes another one with its second scan:
-- an index on that would be written again for each of them.
alter table findings add column is_changed boolean not null generated always as
  (previous_status is not null and previous_status <> status) stored;
create index findings_changed on findings (tenant_id, severity, id) where is_changed;
