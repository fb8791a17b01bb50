create table providers (
  tenant_id uuid not null references tenants,
  id uuid not null,
  type text not null,
  account text not null,
  name text,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  primary key (tenant_id, id)
);
call isolate_by_tenant('providers');
-- The billing rule: one live provider per account, however many jobs meet the account at once.
create unique index providers_live on providers (tenant_id, type, account) where deleted_at is null;

create table checks (
  tenant_id uuid not null references tenants,
  provider_type text not null,
  check_id text not null,
  title text,
  description text,
  risk text,
  remediation text,
  "references" text[] not null,
  categories text[] not null,
  -- of the newest record that had these texts
  seen_at timestamptz not null,
  primary key (tenant_id, provider_type, check_id)
);
call isolate_by_tenant('checks');

create type finding_status as enum ('PASS', 'FAIL', 'MANUAL');
create type finding_delta as enum ('new', 'changed', 'unchanged');

-- The current state of every finding. The record that it was read from stays in its frame:
-- (ingestion_id, frame, record_offset, record_bytes) point at it.
create table findings (
  tenant_id uuid not null,
  -- derived from the identity (provider, check, finding uid, resource uid)
  id uuid not null,
  provider_id uuid not null,
  ingestion_id uuid not null,
  record_index bigint not null,
  frame integer not null,
  record_offset integer not null,
  record_bytes integer not null,
  status finding_status not null,
  severity smallint not null,
  muted boolean not null,
  first_seen_at timestamptz not null,
  -- the time of the newest record
  last_seen_at timestamptz not null,
  status_changed_at timestamptz not null,
  -- of the newest record known with another status
  other_status_at timestamptz,
  -- the newest record of an earlier upload
  previous_status finding_status,
  previous_seen_at timestamptz,
  previous_ingestion_id uuid,
  delta finding_delta not null generated always as (
    case
      when previous_status is null then 'new'::finding_delta
      when previous_status = status then 'unchanged'::finding_delta
      else 'changed'::finding_delta
    end
  ) stored,
  check_id text not null,
  uid text not null,
  resource_uid text,
  resource_name text,
  resource_type text,
  region text,
  service text,
  scan_uid text,
  status_detail text,
  -- No foreign key on providers: its check per row is a third of a merge's time, and only a merge inserts here.
  primary key (tenant_id, id)
);
call isolate_by_tenant('findings');
