-- How each upload changed findings, and the history of each finding: docs/decisions/0092-changes-of-findings.md.
-- Migrations 0042 to 0046 add the columns of other tables: one table per transaction, as in 0025-direct-policies.sql.

-- The state of a finding as one number.
create function finding_state_code(severity smallint, status finding_status, muted boolean, is_resolved boolean) returns smallint
  language sql immutable parallel safe
  -- Not a simple CASE, which Citus deparses incorrectly.
  return (severity * 16 + case when is_resolved then 8 else 0 end + case when muted then 4 else 0 end
    + case when status = 'PASS' then 0 when status = 'FAIL' then 1 else 2 end)::smallint;

-- The n-th finding of a frame's upload is in the n-th scan, as an index of `scan_ids` from 1; 0 if a record from another frame replaced
-- it. The first findings had the n-th of `unchanged_states` (finding_state_code) and no row in `finding_events`. One row per frame, because a row per finding takes as long to write as the finding.
create table scan_findings (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  frame integer not null,
  inserted_at timestamptz not null default statement_timestamp(),
  scan_ids uuid[] not null,
  finding_ids uuid[] not null,
  scan_numbers smallint[] not null,
  unchanged_states smallint[] not null,
  primary key (tenant_id, ingestion_id, frame),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
-- Compression takes longer than everything else, and saves little: ids are random.
alter table scan_findings alter finding_ids set storage external, alter scan_numbers set storage external,
  alter unchanged_states set storage external;
call isolate_by_tenant('scan_findings');

-- The changes of findings, except their first records. Also has unchanged findings of records that were older than the finding's newest
-- one when they were processed.
create table finding_events (
  tenant_id uuid not null,
  finding_id uuid not null,
  -- The upload of the record, or the upload (or the coverage of a user) that resolved the finding.
  ingestion_id uuid not null,
  is_resolution boolean not null,
  -- Null if a user resolved the finding.
  scan_id uuid,
  -- Time of the record, or the coverage time.
  occurred_at timestamptz not null,
  learned_at timestamptz not null default statement_timestamp(),
  -- finding_state_code
  state smallint not null,
  -- The state just before. Null if the record is the finding's first.
  prior_state smallint,
  change text not null,
  primary key (tenant_id, finding_id, ingestion_id, is_resolution)
);
call isolate_by_tenant('finding_events');
create index finding_events_ingestion on finding_events (tenant_id, ingestion_id);
create index finding_events_learned on finding_events (tenant_id, learned_at);

-- The numbers of findings by change, by whether they fail, and by severity (change-counts.ts). Null if an earlier release
-- accepted the upload or processed a part of it.
alter table ingestions
  add column change_counts integer[],
  -- Whether another upload had a newer record of a finding when a record of this upload was merged (own-records.ts).
  add column has_late_records boolean not null default false;

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on scan_findings, finding_events to sluice_app;
  end if;
end $$;
