-- Attributes that OCSF requires but that records lack: docs/decisions/0094-missing-attributes-are-counted-per-job.md.

alter table ingestion_warnings
  -- A warning about the file has no record (0035-coverage.sql).
  alter record_index drop not null,
  -- The number of records that the warning is about; the other columns describe the first of them.
  add column record_count bigint not null default 1;

-- One warning for each attribute of a job.
create unique index ingestion_warnings_missing_attribute on ingestion_warnings (tenant_id, ingestion_id, pointer)
  where code = 'missing_required_attribute';
