-- What one upload brought of one provider under one scan id of its records. Written at the end of a frame's transaction,
-- when it has the job's row: frames of one job come here one after another.
create table scans (
  tenant_id uuid not null,
  -- derived from ingestion, provider and scan id
  id uuid not null,
  ingestion_id uuid not null,
  -- No foreign key: as in findings.
  provider_id uuid not null,
  -- the scan id of the records; null: they name none
  uid text,
  -- of the upload, so that the default list needs this table's index alone
  inserted_at timestamptz not null,
  -- the earliest and the latest time of its records
  started_at timestamptz not null,
  ended_at timestamptz not null,
  records bigint not null,
  pass bigint not null,
  fail bigint not null,
  manual bigint not null,
  muted bigint not null,
  -- FAIL and not muted
  failed bigint not null,
  severity_unknown bigint not null,
  severity_informational bigint not null,
  severity_low bigint not null,
  severity_medium bigint not null,
  severity_high bigint not null,
  severity_critical bigint not null,
  severity_fatal bigint not null,
  severity_other bigint not null,
  failed_unknown bigint not null,
  failed_informational bigint not null,
  failed_low bigint not null,
  failed_medium bigint not null,
  failed_high bigint not null,
  failed_critical bigint not null,
  failed_fatal bigint not null,
  failed_other bigint not null,
  -- findings that have their state from this scan, by what it is against earlier uploads
  new_findings bigint not null default 0,
  changed_findings bigint not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('scans');
create index scans_inserted on scans (tenant_id, inserted_at desc, id desc);
create index scans_ingestion on scans (tenant_id, ingestion_id);
create index scans_provider on scans (tenant_id, provider_id, inserted_at desc, id desc);

-- Where a record took the place of an older one of the same upload: what that one had been counted as, and in which
-- scan. Null as a rule, when it takes no room.
alter table findings
  add column replaced_delta finding_delta,
  add column replaced_scan_uid text;
