-- Uploads that only report what they would do: docs/decisions/0096-dry-runs.md.
-- Migrations 0046 and 0047 add the columns of other tables.

alter table ingestions
  add column dry_run boolean not null default false,
  -- What the upload would do (dry-run-report.ts). Null until the job has ended.
  add column dry_run_report jsonb;

-- What one frame of a dry run contains, until the job ends: the n-th finding has the n-th time (in milliseconds since 1970), state and
-- prior state (finding_state_code; the prior state of a new finding is null), and index and offset of its record. Also the n-th account
-- without a provider.
create table dry_run_parts (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  frame integer not null,
  finding_ids uuid[] not null,
  times bigint[] not null,
  states smallint[] not null,
  prior_states smallint[] not null,
  record_indexes bigint[] not null,
  record_offsets bigint[] not null,
  provider_types text[] not null,
  accounts text[] not null,
  account_names text[] not null,
  primary key (tenant_id, ingestion_id, frame),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('dry_run_parts');

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on dry_run_parts to sluice_app;
  end if;
end $$;
