-- Uploads that only report what they would do: docs/decisions/0096-dry-runs.md.

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

-- When the oldest dry run ended whose file is stored, as in 0022-due-garbage-collection.sql.
alter table tenant_housekeeping add column oldest_dry_run_at timestamptz;
create index tenant_housekeeping_dry_runs on tenant_housekeeping (oldest_dry_run_at);

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on dry_run_parts to sluice_app;
  end if;
end $$;
