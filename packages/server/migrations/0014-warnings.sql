-- What is unusual about records that were ingested all the same: as the errors are kept.
alter table ingestions
  add column warnings bigint not null default 0,
  add column warnings_kept bigint not null default 0;

create table ingestion_warnings (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  -- where the record starts
  byte_offset bigint not null,
  code text not null,
  -- inside the record; '': the record as a whole
  pointer text not null,
  record_index bigint not null,
  finding_uid text,
  detail text not null,
  primary key (tenant_id, ingestion_id, byte_offset, code, pointer),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('ingestion_warnings');

create table ingestion_warning_counts (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  code text not null,
  count bigint not null,
  primary key (tenant_id, ingestion_id, code),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('ingestion_warning_counts');
