-- The schema after all migrations, for review. packages/server/test/db/schema.test.ts compares it with the real schema;
-- run the test with UPDATE_SCHEMA=1 to update it. It is never executed.

create type finding_delta as enum ('new', 'changed', 'unchanged');

create type finding_status as enum ('PASS', 'FAIL', 'MANUAL');

create type ingestion_status as enum ('pending', 'processing', 'completed', 'failed');

create table api_key_prefixes (
  prefix text not null,
  tenant_id uuid not null,
  constraint api_key_prefixes_pkey PRIMARY KEY (prefix, tenant_id)
);

create table api_keys (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  prefix text not null,
  secret_sha256 bytea not null,
  permissions text[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  name text,
  last_used_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (tenant_id, id),
  constraint api_keys_tenant_id_prefix_key UNIQUE (tenant_id, prefix),
  constraint api_keys_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX api_keys_prefix ON sluice.api_keys USING btree (prefix);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy presented_key on api_keys as permissive for select to public using ((prefix = current_setting('sluice.api_key_prefix'::text, true)));
create policy tenant on api_keys as permissive for all to public using ((tenant_id = current_tenant()));

create table audit_events (
  tenant_id uuid not null,
  id uuid not null,
  occurred_at timestamp with time zone not null default clock_timestamp(),
  user_id uuid,
  api_key_id uuid,
  action text not null,
  target_type text not null,
  target_id text not null,
  changes jsonb not null,
  address text,
  request_id text,
  user_email text,
  api_key_prefix text,
  constraint audit_events_check CHECK (((user_id IS NULL) = (api_key_id IS NULL))),
  constraint audit_events_pkey PRIMARY KEY (tenant_id, id),
  constraint audit_events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
);
CREATE INDEX audit_events_occurred ON sluice.audit_events USING btree (tenant_id, occurred_at, id);
alter table audit_events enable row level security;
alter table audit_events force row level security;
create policy tenant on audit_events as permissive for all to public using ((tenant_id = current_tenant()));

create table blob_store (
  is_one boolean not null default true,
  id uuid not null default gen_random_uuid(),
  is_marked boolean not null default false,
  garbage_collected_at timestamp with time zone not null default clock_timestamp(),
  constraint blob_store_is_one_check CHECK (is_one),
  constraint blob_store_pkey PRIMARY KEY (is_one)
);

create table checks (
  tenant_id uuid not null,
  provider_type text not null,
  check_id text not null,
  title text,
  description text,
  risk text,
  remediation text,
  "references" text[] not null,
  categories text[] not null,
  seen_at timestamp with time zone not null,
  key bigint not null,
  compliance text[] not null default '{}'::text[],
  constraint checks_pkey PRIMARY KEY (tenant_id, provider_type, check_id),
  constraint checks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
);
CREATE UNIQUE INDEX checks_key ON sluice.checks USING btree (tenant_id, key);
alter table checks enable row level security;
alter table checks force row level security;
create policy tenant on checks as permissive for all to public using ((tenant_id = current_tenant()));

create table coverage_parts (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  frame integer not null,
  provider_ids uuid[] not null,
  products text[] not null,
  check_keys bigint[] not null,
  times timestamp with time zone[] not null,
  constraint coverage_parts_pkey PRIMARY KEY (tenant_id, ingestion_id, frame),
  constraint coverage_parts_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
alter table coverage_parts enable row level security;
alter table coverage_parts force row level security;
create policy tenant on coverage_parts as permissive for all to public using ((tenant_id = current_tenant()));

create table coverages (
  tenant_id uuid not null,
  provider_id uuid not null,
  ingestion_id uuid not null,
  id uuid not null,
  product text not null,
  check_keys bigint[] not null,
  times timestamp with time zone[] not null,
  newest_time timestamp with time zone not null,
  is_manual boolean not null default false,
  published_at timestamp with time zone not null,
  constraint coverages_pkey PRIMARY KEY (tenant_id, provider_id, ingestion_id, id)
);
CREATE INDEX coverages_ingestion ON sluice.coverages USING btree (tenant_id, ingestion_id);
CREATE INDEX coverages_newest ON sluice.coverages USING btree (tenant_id, provider_id, newest_time);
alter table coverages enable row level security;
alter table coverages force row level security;
create policy tenant on coverages as permissive for all to public using ((tenant_id = current_tenant()));

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
  constraint dry_run_parts_pkey PRIMARY KEY (tenant_id, ingestion_id, frame),
  constraint dry_run_parts_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
alter table dry_run_parts enable row level security;
alter table dry_run_parts force row level security;
create policy tenant on dry_run_parts as permissive for all to public using ((tenant_id = current_tenant()));

create table failing_finding_changes (
  tenant_id uuid not null,
  "grouping" smallint not null,
  provider_id uuid not null,
  starts_at timestamp with time zone not null,
  is_day boolean not null,
  check_keys bigint[],
  facet_keys bigint[],
  severities smallint[] not null,
  counts integer[] not null,
  constraint failing_finding_changes_pkey PRIMARY KEY (tenant_id, "grouping", provider_id, starts_at, is_day)
);
CREATE INDEX failing_finding_changes_days ON sluice.failing_finding_changes USING btree (tenant_id, starts_at) WHERE is_day;
CREATE INDEX failing_finding_changes_hours ON sluice.failing_finding_changes USING btree (tenant_id, starts_at) WHERE (NOT is_day);
alter table failing_finding_changes enable row level security;
alter table failing_finding_changes force row level security;
create policy tenant on failing_finding_changes as permissive for all to public using ((tenant_id = current_tenant()));

create table finding_backfills (
  tenant_id uuid not null,
  after_id uuid,
  constraint finding_backfills_pkey PRIMARY KEY (tenant_id)
);

create table finding_counts (
  tenant_id uuid not null,
  provider_id uuid not null,
  service text not null,
  severity smallint not null,
  status finding_status not null,
  muted boolean not null,
  delta finding_delta not null,
  number bigint not null,
  last_seen_at timestamp with time zone not null,
  constraint finding_counts_pkey PRIMARY KEY (tenant_id, provider_id, severity, status, muted, delta, service),
  constraint finding_counts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
);
alter table finding_counts enable row level security;
alter table finding_counts force row level security;
create policy tenant on finding_counts as permissive for all to public using ((tenant_id = current_tenant()));

create table finding_events (
  tenant_id uuid not null,
  finding_id uuid not null,
  ingestion_id uuid not null,
  is_resolution boolean not null,
  scan_id uuid,
  occurred_at timestamp with time zone not null,
  learned_at timestamp with time zone not null default statement_timestamp(),
  state smallint not null,
  prior_state smallint,
  change text not null,
  constraint finding_events_pkey PRIMARY KEY (tenant_id, finding_id, ingestion_id, is_resolution)
);
CREATE INDEX finding_events_ingestion ON sluice.finding_events USING btree (tenant_id, ingestion_id);
CREATE INDEX finding_events_learned ON sluice.finding_events USING btree (tenant_id, learned_at);
alter table finding_events enable row level security;
alter table finding_events force row level security;
create policy tenant on finding_events as permissive for all to public using ((tenant_id = current_tenant()));

create table finding_facets (
  tenant_id uuid not null,
  key bigint not null,
  id uuid not null,
  service text,
  region text,
  resource_type text,
  product text,
  constraint finding_facets_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX finding_facets_key ON sluice.finding_facets USING btree (tenant_id, key);
alter table finding_facets enable row level security;
alter table finding_facets force row level security;
create policy tenant on finding_facets as permissive for all to public using ((tenant_id = current_tenant()));

create table finding_resources (
  tenant_id uuid not null,
  finding_id uuid not null,
  resource_key bigint not null,
  constraint finding_resources_pkey PRIMARY KEY (tenant_id, finding_id, resource_key)
);
CREATE INDEX finding_resources_resource ON sluice.finding_resources USING btree (tenant_id, resource_key);
alter table finding_resources enable row level security;
alter table finding_resources force row level security;
create policy tenant on finding_resources as permissive for all to public using ((tenant_id = current_tenant()));

create table finding_total_changes (
  tenant_id uuid not null,
  id bigint not null,
  provider_id uuid not null,
  check_keys bigint[] not null,
  facet_keys bigint[] not null,
  codes smallint[] not null,
  counts integer[] not null,
  length integer not null generated always as (cardinality(codes)) stored,
  inserted_at timestamp with time zone not null default clock_timestamp(),
  constraint finding_total_changes_pkey PRIMARY KEY (tenant_id, id)
);
alter table finding_total_changes enable row level security;
alter table finding_total_changes force row level security;
create policy tenant on finding_total_changes as permissive for all to public using ((tenant_id = current_tenant()));

create table finding_totals (
  tenant_id uuid not null,
  "grouping" smallint not null,
  provider_id uuid not null,
  check_key bigint not null,
  keys bigint[] not null,
  codes smallint[] not null,
  counts integer[] not null,
  constraint finding_totals_pkey PRIMARY KEY (tenant_id, "grouping", provider_id, check_key)
);
alter table finding_totals enable row level security;
alter table finding_totals force row level security;
create policy tenant on finding_totals as permissive for all to public using ((tenant_id = current_tenant()));

create table finding_trend_starts (
  tenant_id uuid not null,
  started_at timestamp with time zone not null,
  constraint finding_trend_starts_pkey PRIMARY KEY (tenant_id)
);
alter table finding_trend_starts enable row level security;
alter table finding_trend_starts force row level security;
create policy tenant on finding_trend_starts as permissive for all to public using ((tenant_id = current_tenant()));

create table findings (
  tenant_id uuid not null,
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
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  status_changed_at timestamp with time zone not null,
  other_status_at timestamp with time zone,
  previous_status finding_status,
  previous_seen_at timestamp with time zone,
  previous_ingestion_id uuid,
  delta finding_delta not null generated always as (
CASE
    WHEN (previous_status IS NULL) THEN 'new'::finding_delta
    WHEN (previous_status = status) THEN 'unchanged'::finding_delta
    ELSE 'changed'::finding_delta
END) stored,
  check_id text,
  uid text,
  resource_uid text,
  resource_name text,
  resource_type text,
  region text,
  service text,
  scan_uid text,
  status_detail text,
  is_changed boolean not null generated always as (((previous_status IS NOT NULL) AND (previous_status <> status))) stored,
  counted_as finding_delta,
  replaced_record bigint[],
  check_key bigint,
  facet_key bigint,
  resource_key bigint,
  scan_id uuid,
  replaced_code smallint,
  replaced_facet bigint,
  replaced jsonb,
  resolved_at timestamp with time zone,
  resolved_by uuid,
  prior_state smallint,
  first_scan_id uuid,
  constraint findings_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX findings_changed ON sluice.findings USING btree (tenant_id, severity, id) WHERE is_changed;
CREATE INDEX findings_check_provider ON sluice.findings USING btree (tenant_id, check_key, provider_id);
CREATE INDEX findings_failing ON sluice.findings USING btree (tenant_id, check_key, resource_key, facet_key, provider_id, severity, status_changed_at) INCLUDE (status, muted) WHERE ((status = 'FAIL'::finding_status) AND (NOT muted) AND (resolved_at IS NULL));
CREATE INDEX findings_first_seen ON sluice.findings USING btree (tenant_id, first_seen_at);
CREATE INDEX findings_resolved ON sluice.findings USING btree (tenant_id, provider_id) WHERE (resolved_at IS NOT NULL);
CREATE INDEX findings_resource ON sluice.findings USING btree (tenant_id, resource_key);
CREATE INDEX findings_status_changed ON sluice.findings USING btree (tenant_id, status_changed_at);
CREATE INDEX findings_uid ON sluice.findings USING hash (uid) WHERE (uid IS NOT NULL);
CREATE INDEX findings_with_uid ON sluice.findings USING btree (tenant_id) WHERE (uid IS NOT NULL);
alter table findings enable row level security;
alter table findings force row level security;
create policy tenant on findings as permissive for all to public using ((tenant_id = current_tenant()));

create table frame_queue (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  number integer not null,
  available_at timestamp with time zone not null default clock_timestamp(),
  queued_at timestamp with time zone not null default clock_timestamp(),
  dry_run boolean not null default false,
  constraint frame_queue_pkey PRIMARY KEY (tenant_id, ingestion_id, number)
);

create table frames (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  number integer not null,
  first_record bigint not null,
  records integer not null,
  byte_offset bigint not null,
  bytes bigint not null,
  blob_offset bigint not null,
  blob_bytes integer not null,
  index_bytes integer not null,
  failures smallint not null default 0,
  interruptions smallint not null default 0,
  is_begun boolean not null default false,
  data_crc32 bigint,
  index_crc32 bigint,
  file_fault text,
  given_up_as text,
  extract_bytes integer,
  done_at timestamp with time zone,
  constraint frames_pkey PRIMARY KEY (tenant_id, ingestion_id, number),
  constraint frames_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
alter table frames enable row level security;
alter table frames force row level security;
create policy tenant on frames as permissive for all to public using ((tenant_id = current_tenant()));

create table garbage_collection_queue (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  constraint garbage_collection_queue_pkey PRIMARY KEY (tenant_id, id)
);

create table idempotency_keys (
  tenant_id uuid not null,
  key text not null,
  request_sha256 bytea not null,
  ingestion_id uuid not null,
  inserted_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (tenant_id, key),
  constraint idempotency_keys_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_ingestion ON sluice.idempotency_keys USING btree (tenant_id, ingestion_id);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy tenant on idempotency_keys as permissive for all to public using ((tenant_id = current_tenant()));
CREATE TRIGGER queue_keys AFTER INSERT OR UPDATE OF inserted_at ON sluice.idempotency_keys FOR EACH ROW EXECUTE FUNCTION queue_garbage_collection();

create table ingestion_error_counts (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  code text not null,
  count bigint not null,
  constraint ingestion_error_counts_pkey PRIMARY KEY (tenant_id, ingestion_id, code),
  constraint ingestion_error_counts_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
alter table ingestion_error_counts enable row level security;
alter table ingestion_error_counts force row level security;
create policy tenant on ingestion_error_counts as permissive for all to public using ((tenant_id = current_tenant()));

create table ingestion_errors (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  byte_offset bigint not null,
  code text not null,
  record_index bigint,
  pointer text,
  finding_uid text,
  detail text not null,
  constraint ingestion_errors_pkey PRIMARY KEY (tenant_id, ingestion_id, byte_offset, code),
  constraint ingestion_errors_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
alter table ingestion_errors enable row level security;
alter table ingestion_errors force row level security;
create policy tenant on ingestion_errors as permissive for all to public using ((tenant_id = current_tenant()));

create table ingestion_warning_counts (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  code text not null,
  count bigint not null,
  constraint ingestion_warning_counts_pkey PRIMARY KEY (tenant_id, ingestion_id, code),
  constraint ingestion_warning_counts_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
alter table ingestion_warning_counts enable row level security;
alter table ingestion_warning_counts force row level security;
create policy tenant on ingestion_warning_counts as permissive for all to public using ((tenant_id = current_tenant()));

create table ingestion_warnings (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  byte_offset bigint not null,
  code text not null,
  pointer text not null,
  record_index bigint,
  finding_uid text,
  detail text not null,
  record_count bigint not null default 1,
  constraint ingestion_warnings_pkey PRIMARY KEY (tenant_id, ingestion_id, byte_offset, code, pointer),
  constraint ingestion_warnings_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX ingestion_warnings_missing_attribute ON sluice.ingestion_warnings USING btree (tenant_id, ingestion_id, pointer) WHERE (code = 'missing_required_attribute'::text);
alter table ingestion_warnings enable row level security;
alter table ingestion_warnings force row level security;
create policy tenant on ingestion_warnings as permissive for all to public using ((tenant_id = current_tenant()));

create table ingestions (
  tenant_id uuid not null,
  id uuid not null,
  status ingestion_status not null default 'pending'::ingestion_status,
  file_name text,
  received_bytes bigint not null,
  bytes bigint not null,
  default_provider text,
  default_account text,
  total bigint not null,
  processed bigint not null default 0,
  invalid bigint not null default 0,
  detection_findings bigint not null default 0,
  file_fault text,
  errors_kept bigint not null default 0,
  frames integer not null,
  frames_done integer not null default 0,
  requested_at timestamp with time zone not null,
  inserted_at timestamp with time zone not null default clock_timestamp(),
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  api_key_id uuid not null,
  blob_removed_at timestamp with time zone,
  request_id text,
  traceparent text,
  warnings bigint not null default 0,
  warnings_kept bigint not null default 0,
  labels jsonb not null default '{}'::jsonb,
  coverage text not null default 'partial'::text,
  change_counts integer[] default array_fill(0, ARRAY[96]),
  has_late_records boolean not null default false,
  dry_run boolean not null default false,
  dry_run_report jsonb,
  default_time timestamp with time zone,
  constraint ingestions_check CHECK (((processed <= total) AND (invalid <= processed) AND (frames_done <= frames))),
  constraint ingestions_pkey PRIMARY KEY (tenant_id, id),
  constraint ingestions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
);
CREATE INDEX ingestions_completed ON sluice.ingestions USING btree (tenant_id, completed_at);
CREATE INDEX ingestions_inserted ON sluice.ingestions USING btree (tenant_id, inserted_at DESC, id DESC);
alter table ingestions enable row level security;
alter table ingestions force row level security;
create policy tenant on ingestions as permissive for all to public using ((tenant_id = current_tenant()));
CREATE TRIGGER queue_inserted AFTER INSERT ON sluice.ingestions FOR EACH ROW WHEN ((new.completed_at IS NOT NULL)) EXECUTE FUNCTION queue_garbage_collection();
CREATE TRIGGER queue_updated AFTER UPDATE OF frames_done, completed_at ON sluice.ingestions FOR EACH ROW WHEN (((new.frames_done IS DISTINCT FROM old.frames_done) OR (new.completed_at IS DISTINCT FROM old.completed_at))) EXECUTE FUNCTION queue_garbage_collection();

create table provider_products (
  tenant_id uuid not null,
  provider_id uuid not null,
  id uuid not null,
  product text not null,
  version text,
  last_seen_at timestamp with time zone not null,
  constraint provider_products_pkey PRIMARY KEY (tenant_id, provider_id, id)
);
alter table provider_products enable row level security;
alter table provider_products force row level security;
create policy tenant on provider_products as permissive for all to public using ((tenant_id = current_tenant()));

create table provider_removals (
  tenant_id uuid not null,
  provider_id uuid not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  constraint provider_removals_pkey PRIMARY KEY (tenant_id, provider_id)
);
CREATE TRIGGER queue_removed AFTER DELETE ON sluice.provider_removals FOR EACH ROW EXECUTE FUNCTION queue_garbage_collection();

create table providers (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  account text not null,
  name text,
  created_at timestamp with time zone not null default clock_timestamp(),
  deleted_at timestamp with time zone,
  alias text,
  last_seen_at timestamp with time zone,
  constraint providers_pkey PRIMARY KEY (tenant_id, id),
  constraint providers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
);
CREATE UNIQUE INDEX providers_live ON sluice.providers USING btree (tenant_id, type, account) WHERE (deleted_at IS NULL);
alter table providers enable row level security;
alter table providers force row level security;
create policy tenant on providers as permissive for all to public using ((tenant_id = current_tenant()));

create table reread_queue (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  number integer not null,
  constraint reread_queue_pkey PRIMARY KEY (tenant_id, ingestion_id, number)
);

create table resources (
  tenant_id uuid not null,
  key bigint not null,
  id uuid not null,
  provider_id uuid not null,
  uid text not null,
  name text,
  type text,
  region text,
  service text,
  labels text[] not null default '{}'::text[],
  seen_at timestamp with time zone not null,
  uid_pattern text,
  search text not null generated always as (lower(((((uid || '
'::text) || COALESCE(name, ''::text)) || '
'::text) || COALESCE(uid_pattern, ''::text)))) stored,
  sort_name text not null generated always as ("left"(COALESCE(name, uid), 200)) stored,
  constraint resources_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX resources_key ON sluice.resources USING btree (tenant_id, key) INCLUDE (sort_name);
CREATE INDEX resources_sort_name ON sluice.resources USING btree (tenant_id, sort_name, key);
alter table resources enable row level security;
alter table resources force row level security;
create policy tenant on resources as permissive for all to public using ((tenant_id = current_tenant()));

create table roles (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  permissions text[] not null,
  created_at timestamp with time zone not null default now(),
  constraint roles_pkey PRIMARY KEY (tenant_id, id),
  constraint roles_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
  constraint roles_tenant_id_name_key UNIQUE (tenant_id, name)
);
alter table roles enable row level security;
alter table roles force row level security;
create policy tenant on roles as permissive for all to public using ((tenant_id = current_tenant()));

create table scan_findings (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  frame integer not null,
  inserted_at timestamp with time zone not null default statement_timestamp(),
  scan_ids uuid[] not null,
  finding_ids uuid[] not null,
  scan_numbers smallint[] not null,
  unchanged_states smallint[] not null,
  constraint scan_findings_pkey PRIMARY KEY (tenant_id, ingestion_id, frame),
  constraint scan_findings_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
alter table scan_findings enable row level security;
alter table scan_findings force row level security;
create policy tenant on scan_findings as permissive for all to public using ((tenant_id = current_tenant()));

create table scans (
  tenant_id uuid not null,
  id uuid not null,
  ingestion_id uuid not null,
  provider_id uuid not null,
  uid text,
  inserted_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  records bigint not null,
  pass bigint not null,
  fail bigint not null,
  manual bigint not null,
  muted bigint not null,
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
  new_findings bigint not null default 0,
  changed_findings bigint not null default 0,
  change_counts integer[] default array_fill(0, ARRAY[96]),
  constraint scans_pkey PRIMARY KEY (tenant_id, id),
  constraint scans_tenant_id_ingestion_id_fkey FOREIGN KEY (tenant_id, ingestion_id) REFERENCES ingestions(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX scans_ended ON sluice.scans USING btree (tenant_id, provider_id, ended_at);
CREATE INDEX scans_ingestion ON sluice.scans USING btree (tenant_id, ingestion_id);
CREATE INDEX scans_inserted ON sluice.scans USING btree (tenant_id, inserted_at DESC, id DESC);
CREATE INDEX scans_provider ON sluice.scans USING btree (tenant_id, provider_id, inserted_at DESC, id DESC);
alter table scans enable row level security;
alter table scans force row level security;
create policy tenant on scans as permissive for all to public using ((tenant_id = current_tenant()));

create table schema_migrations (
  name text not null,
  applied_at timestamp with time zone not null default now(),
  checksum text,
  oldest_line integer,
  constraint schema_migrations_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  constraint schema_migrations_oldest_line_check CHECK ((oldest_line >= 1)),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table tenant_housekeeping (
  tenant_id uuid not null,
  done_at timestamp with time zone not null default clock_timestamp(),
  oldest_key_at timestamp with time zone,
  oldest_file_at timestamp with time zone,
  oldest_job_at timestamp with time zone,
  oldest_event_at timestamp with time zone,
  oldest_delivery_at timestamp with time zone,
  oldest_dry_run_at timestamp with time zone,
  constraint tenant_housekeeping_pkey PRIMARY KEY (tenant_id),
  constraint tenant_housekeeping_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
);
CREATE INDEX tenant_housekeeping_deliveries ON sluice.tenant_housekeeping USING btree (oldest_delivery_at);
CREATE INDEX tenant_housekeeping_dry_runs ON sluice.tenant_housekeeping USING btree (oldest_dry_run_at);
CREATE INDEX tenant_housekeeping_events ON sluice.tenant_housekeeping USING btree (oldest_event_at);
CREATE INDEX tenant_housekeeping_files ON sluice.tenant_housekeeping USING btree (oldest_file_at);
CREATE INDEX tenant_housekeeping_jobs ON sluice.tenant_housekeeping USING btree (oldest_job_at);
CREATE INDEX tenant_housekeeping_keys ON sluice.tenant_housekeeping USING btree (oldest_key_at);

create table tenants (
  tenant_id uuid not null,
  name text not null,
  subscription text not null,
  created_at timestamp with time zone not null default now(),
  constraint tenants_pkey PRIMARY KEY (tenant_id),
  constraint tenants_subscription_check CHECK ((subscription = ANY (ARRAY['active'::text, 'none'::text])))
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy tenant on tenants as permissive for all to public using ((tenant_id = current_tenant()));
CREATE TRIGGER keep_house AFTER INSERT ON sluice.tenants FOR EACH ROW EXECUTE FUNCTION keep_house_for_tenant();

create table user_roles (
  tenant_id uuid not null,
  user_id uuid not null,
  role_id uuid not null,
  constraint user_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id),
  constraint user_roles_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id) ON DELETE CASCADE,
  constraint user_roles_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE
);
alter table user_roles enable row level security;
alter table user_roles force row level security;
create policy tenant on user_roles as permissive for all to public using ((tenant_id = current_tenant()));

create table users (
  tenant_id uuid not null,
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null default now(),
  constraint users_pkey PRIMARY KEY (tenant_id, id),
  constraint users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
);
CREATE UNIQUE INDEX users_email ON sluice.users USING btree (tenant_id, lower(email));
alter table users enable row level security;
alter table users force row level security;
create policy tenant on users as permissive for all to public using ((tenant_id = current_tenant()));

create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  payload text not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  failures integer not null default 0,
  created_at timestamp with time zone not null,
  last_attempt_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  response_status integer,
  response_body text,
  error text,
  constraint webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint webhook_deliveries_tenant_id_webhook_id_fkey FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_created ON sluice.webhook_deliveries USING btree (tenant_id, created_at);
CREATE INDEX webhook_deliveries_webhook ON sluice.webhook_deliveries USING btree (tenant_id, webhook_id, created_at, id);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy tenant on webhook_deliveries as permissive for all to public using ((tenant_id = current_tenant()));
CREATE TRIGGER queue_inserted AFTER INSERT ON sluice.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION queue_garbage_collection();

create table webhook_queue (
  tenant_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  available_at timestamp with time zone not null default clock_timestamp(),
  constraint webhook_queue_pkey PRIMARY KEY (tenant_id, delivery_id)
);
CREATE INDEX webhook_queue_available ON sluice.webhook_queue USING btree (available_at);

create table webhooks (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  format text not null,
  events text[] not null,
  provider_ids uuid[],
  severities text[],
  secret text not null,
  previous_secret text,
  previous_secret_expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  disabled_reason text,
  constraint webhooks_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint webhooks_check1 CHECK (((previous_secret IS NULL) = (previous_secret_expires_at IS NULL))),
  constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['user'::text, 'failed'::text, 'gone'::text]))),
  constraint webhooks_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'slack'::text]))),
  constraint webhooks_pkey PRIMARY KEY (tenant_id, id),
  constraint webhooks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
);
alter table webhooks enable row level security;
alter table webhooks force row level security;
create policy tenant on webhooks as permissive for all to public using ((tenant_id = current_tenant()));

CREATE OR REPLACE FUNCTION sluice.backfill_findings(tenant uuid, last uuid)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  after uuid;
  ids uuid[];
  backfilled integer;
begin
  perform set_config('sluice.counts', 'backfill', true);
  select coalesce(after_id, '00000000-0000-0000-0000-000000000000') into after from finding_backfills where tenant_id = tenant;
  -- In the order in which frames lock them. Those to which a frame has given keys in the meantime are not returned.
  select array_agg(id) into ids from (
    select id from findings
    where tenant_id = tenant and id > after and id <= last and facet_key is null
      and provider_id = any (array(select id from providers where tenant_id = tenant and deleted_at is null))
    order by id for no key update) as locked;
  with keys as materialized (
    select f.id, c.key as check_key, a.key as facet_key, r.key as resource_key, s.id as scan_id
    from unnest((select ids)) as w (id)
    cross join lateral (select * from findings where tenant_id = tenant and id = w.id offset 0) as f
    cross join lateral (select type from providers where tenant_id = tenant and id = f.provider_id offset 0) as p
    cross join lateral (select key from checks
      where tenant_id = tenant and provider_type = p.type and check_id = f.check_id offset 0) as c
    cross join lateral (select key
      from (select finding_facet_id(f.service, f.region, f.resource_type) as id offset 0) as w
      join finding_facets using (id) where tenant_id = tenant offset 0) as a
    cross join lateral (select finding_scan_id(f.ingestion_id, f.provider_id, f.scan_uid) as id offset 0) as s
    left join lateral (select key from resources
      where tenant_id = tenant and id = finding_resource_id(f.provider_id, f.resource_uid) offset 0) as r on true
    where r.key is not null or f.resource_uid is null
  ), updated as (
    update findings f
      set check_key = k.check_key, facet_key = k.facet_key, resource_key = k.resource_key, scan_id = k.scan_id
      from keys k where f.tenant_id = tenant and f.id = k.id
      returning f.provider_id, f.check_key, f.facet_key, f.severity, f.status, f.muted, f.delta
  ), counted as (
    insert into finding_total_changes
        (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
      select tenant, provider_id, array_agg(check_key), array_agg(facet_key), array_agg(code), array_agg(count) from (
        select provider_id, check_key, facet_key, finding_count_code(severity, status, muted, delta) as code,
          count(*)::integer as count
        from updated group by provider_id, check_key, facet_key, code) as counted
      group by provider_id
  )
  select count(*) into backfilled from updated;
  -- Otherwise a resource was removed with its provider in the meantime, and the caller begins again.
  if backfilled = coalesce(cardinality(ids), 0) then
    update finding_backfills set after_id = last where tenant_id = tenant;
  end if;
  return backfilled;
end $function$;

CREATE OR REPLACE FUNCTION sluice.begin_backfill(tenant uuid, max_rows integer)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  after uuid;
  last uuid;
begin
  -- As for frames: until this transaction ends, the removal of a provider that is still live for it does not end.
  perform pg_current_xact_id();
  select coalesce(after_id, '00000000-0000-0000-0000-000000000000') into after from finding_backfills where tenant_id = tenant;
  select id into last from (
    select id from findings where tenant_id = tenant and id > after order by id limit max_rows) as batch
    order by id desc limit 1;
  if last is null then
    delete from finding_backfills where tenant_id = tenant;
    -- The changes so far are those of the backfill (migration 0037).
    if found then
      insert into finding_trend_starts (tenant_id, started_at) values (tenant, now())
        on conflict (tenant_id) do update set started_at = excluded.started_at;
    end if;
    return null;
  end if;
  perform create_finding_dimensions(tenant, array_agg(f.provider_id), array_agg(f.check_id), array_agg(f.service),
      array_agg(f.region), array_agg(f.resource_type), array_agg(f.resource_uid), array_agg(f.resource_name), array_agg(f.last_seen_at))
    from findings f
    where f.tenant_id = tenant and f.id > after and f.id <= last and f.facet_key is null
      and f.provider_id = any (array(select id from providers where tenant_id = tenant and deleted_at is null));
  return last;
end $function$;

CREATE OR REPLACE FUNCTION sluice.check_texts(title text, description text, risk text, remediation text, "references" text[], categories text[], compliance text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select row($1, $2, $3, $4, $5, $6, $7)::text $function$;

CREATE OR REPLACE FUNCTION sluice.claim_frame(after_tenant uuid, full_jobs uuid[] DEFAULT '{}'::uuid[], with_dry_runs boolean DEFAULT false)
 RETURNS SETOF frame_queue
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION sluice.create_finding_dimensions(tenant uuid, provider_ids uuid[], check_ids text[], services text[], regions text[], resource_types text[], resource_uids text[], resource_names text[], times timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  -- Each resource with the attributes from its newest finding.
  newest resources[];
  older uuid[];
begin
  insert into checks (tenant_id, provider_type, check_id, "references", categories, seen_at)
    select tenant, p.type, w.check_id, '{}', '{}', '-infinity'
    from (select distinct provider_id, check_id from unnest(provider_ids, check_ids) as u (provider_id, check_id)) as w
    cross join lateral (select type from providers where tenant_id = tenant and id = w.provider_id offset 0) as p
    where not exists (select from checks c
      where c.tenant_id = tenant and c.provider_type = p.type and c.check_id = w.check_id offset 0)
    order by p.type collate "C", w.check_id collate "C"
    on conflict do nothing;
  insert into finding_facets (tenant_id, id, service, region, resource_type)
    select tenant, w.* from (
      select distinct finding_facet_id(service, region, resource_type) as id, service, region, resource_type
      from (select distinct * from unnest(services, regions, resource_types) as u (service, region, resource_type)) as d
    ) as w
    where not exists (select from finding_facets f where f.tenant_id = tenant and f.id = w.id)
    order by w.id
    on conflict do nothing;
  newest := array(
    select row(tenant, null, finding_resource_id(provider_id, uid), provider_id, uid, name, type, region, service, '{}', seen_at,
      null, null, null)::resources
    from (
      select distinct on (provider_id, uid) provider_id, uid, name, type, region, service, seen_at
      from unnest(provider_ids, resource_uids, resource_names, resource_types, regions, services, times)
        as u (provider_id, uid, name, type, region, service, seen_at)
      where uid is not null
      order by provider_id, uid, seen_at desc, coalesce(name, '') collate "C" desc, coalesce(type, '') collate "C" desc,
        coalesce(region, '') collate "C" desc, coalesce(service, '') collate "C" desc
    ) as d);
  insert into resources (tenant_id, id, provider_id, uid, name, type, region, service, seen_at)
    select tenant, w.id, w.provider_id, w.uid, w.name, w.type, w.region, w.service, w.seen_at from unnest((select newest)) as w
    where not exists (select from resources r where r.tenant_id = tenant and r.id = w.id)
    order by w.id
    on conflict do nothing;
  older := array(
    select w.id from unnest((select newest)) as w
    cross join lateral (select r as stored from resources r where r.tenant_id = tenant and r.id = w.id offset 0) as known
    where has_older_attributes(known.stored, w));
  if cardinality(older) = 0 then return; end if;
  perform from (select id from unnest((select older)) as w (id) order by id) as w
    cross join lateral (select from resources where tenant_id = tenant and id = w.id offset 0 for no key update) as r;
  update resources r set name = w.name, type = w.type, region = w.region, service = w.service, seen_at = w.seen_at
    from unnest((select newest)) as w
    where w.id = any(older) and r.tenant_id = tenant and r.id = w.id and has_older_attributes(r, w);
end $function$;

CREATE OR REPLACE FUNCTION sluice.create_incoming_dimensions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if to_regclass('pg_temp.incoming') is null then return null; end if;
  perform create_finding_dimensions(current_tenant(), array_agg(provider_id), array_agg(check_id), array_agg(service),
    array_agg(region), array_agg(resource_type), array_agg(resource_uid), array_agg(resource_name), array_agg(last_seen_at))
    from incoming;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sluice.current_tenant()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('sluice.tenant_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION sluice.derived_id(key bytea)
 RETURNS uuid
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
declare
  digest bytea := substr(sha256(key), 1, 16);
begin
  return encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid;
end $function$;

CREATE OR REPLACE FUNCTION sluice.find_api_key(presented_prefix text)
 RETURNS TABLE(tenant_id uuid, key_id uuid, user_id uuid, secret_sha256 bytea, key_permissions text[], expires_at timestamp with time zone, revoked_at timestamp with time zone, user_permissions text[], subscription text)
 LANGUAGE plpgsql
AS $function$
declare
  owner uuid;
begin
  perform set_config('sluice.api_key_prefix', presented_prefix, true);
  for owner in select k.tenant_id from api_keys k where k.prefix = presented_prefix loop
    perform set_config('sluice.tenant_id', owner::text, true);
    return query
      select k.tenant_id, k.id, k.user_id, k.secret_sha256, k.permissions, k.expires_at, k.revoked_at,
        coalesce(
          (select array_agg(distinct permission)
           from user_roles ur
           join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
           cross join unnest(r.permissions) as permission
           where ur.tenant_id = owner and ur.user_id = k.user_id),
          '{}'),
        t.subscription
      from api_keys k
      join tenants t on t.tenant_id = k.tenant_id
      where k.tenant_id = owner and k.prefix = presented_prefix;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION sluice.find_unreferenced_blobs(tenants uuid[], jobs uuid[])
 RETURNS SETOF bigint
 LANGUAGE plpgsql
AS $function$
declare
  owner uuid;
  ids uuid[];
  places bigint[];
begin
  for owner, ids, places in
    select b.tenant, array_agg(b.job), array_agg(b.place)
    from unnest(tenants, jobs) with ordinality as b (tenant, job, place)
    join tenant_housekeeping h on h.tenant_id = b.tenant
    group by b.tenant
  loop
    perform set_config('sluice.tenant_id', owner::text, true);
    return query
      select b.place from unnest(ids, places) as b (job, place)
      where not exists (
        select from ingestions i where i.tenant_id = owner and i.id = b.job and i.blob_removed_at is null);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION sluice.finding_count_code(severity smallint, status finding_status, muted boolean, delta finding_delta)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((((severity * 18) + CASE WHEN (status = 'PASS'::finding_status) THEN 0 WHEN (status = 'FAIL'::finding_status) THEN 6 ELSE 12 END) + CASE WHEN muted THEN 3 ELSE 0 END) + CASE WHEN (delta = 'new'::finding_delta) THEN 0 WHEN (delta = 'changed'::finding_delta) THEN 1 ELSE 2 END))::smallint;

CREATE OR REPLACE FUNCTION sluice.finding_facet_id(service text, region text, resource_type text)
 RETURNS uuid
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 1000
AS $function$
begin
  return derived_id(coalesce(convert_to(E'\u0001' || service, 'UTF8'), '') || '\x00'
    || coalesce(convert_to(E'\u0001' || region, 'UTF8'), '') || '\x00'
    || coalesce(convert_to(E'\u0001' || resource_type, 'UTF8'), '') || '\x00');
end $function$;

CREATE OR REPLACE FUNCTION sluice.finding_resource_id(provider_id uuid, uid text)
 RETURNS uuid
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return derived_id(convert_to(provider_id::text, 'UTF8') || '\x00' || convert_to(uid, 'UTF8'));
end $function$;

CREATE OR REPLACE FUNCTION sluice.finding_scan_id(ingestion_id uuid, provider_id uuid, scan_uid text)
 RETURNS uuid
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 1000
AS $function$
begin
  return derived_id(convert_to(ingestion_id::text, 'UTF8') || '\x00' || convert_to(provider_id::text, 'UTF8') || '\x00'
    || convert_to(coalesce(scan_uid, ''), 'UTF8'));
end $function$;

CREATE OR REPLACE FUNCTION sluice.finding_state_code(severity smallint, status finding_status, muted boolean, is_resolved boolean)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((((severity * 16) + CASE WHEN is_resolved THEN 8 ELSE 0 END) + CASE WHEN muted THEN 4 ELSE 0 END) + CASE WHEN (status = 'PASS'::finding_status) THEN 0 WHEN (status = 'FAIL'::finding_status) THEN 1 ELSE 2 END))::smallint;

CREATE OR REPLACE FUNCTION sluice.has_older_attributes(stored resources, newest resources)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (ROW((stored).seen_at, (COALESCE((stored).name, ''::text) COLLATE "C"), (COALESCE((stored).type, ''::text) COLLATE "C"), (COALESCE((stored).region, ''::text) COLLATE "C"), (COALESCE((stored).service, ''::text) COLLATE "C")) < ROW((newest).seen_at, (COALESCE((newest).name, ''::text) COLLATE "C"), (COALESCE((newest).type, ''::text) COLLATE "C"), (COALESCE((newest).region, ''::text) COLLATE "C"), (COALESCE((newest).service, ''::text) COLLATE "C")));

CREATE OR REPLACE PROCEDURE sluice.isolate_by_tenant(IN isolated regclass)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s alter tenant_id set statistics 0', isolated);
  execute format('alter table %s enable row level security, force row level security', isolated);
  execute format('create policy tenant on %s using (tenant_id = current_tenant())', isolated);
end $procedure$;

CREATE OR REPLACE FUNCTION sluice.keep_house_for_tenant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into sluice.tenant_housekeeping (tenant_id) values (new.tenant_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sluice.note_api_key_uses(tenants uuid[], keys uuid[], times timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '500ms'
AS $function$
declare
  owner uuid;
begin
  for owner in select distinct tenant from unnest(tenants) as tenant order by tenant loop
    perform set_config('sluice.tenant_id', owner::text, true);
    perform from api_keys k
      where k.tenant_id = owner and k.id = any (keys) order by k.id for no key update;
    update api_keys k set last_used_at = used.at
      from unnest(tenants, keys, times) as used (tenant, key, at)
      where used.tenant = owner and k.tenant_id = owner and k.id = used.key
        and (k.last_used_at is null or k.last_used_at < used.at);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION sluice.note_finding_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  writer text := coalesce(current_setting('sluice.counts', true), '');
begin
  if writer = 'backfill' then return null; end if;
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
  if writer = 'merge' then return null; end if;
  if tg_op = 'UPDATE' then
    insert into finding_total_changes
        (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
      select tenant_id, provider_id, array_agg(check_key), array_agg(facet_key), array_agg(code), array_agg(count) from (
        select tenant_id, provider_id, check_key, facet_key, finding_count_code(severity, status, muted, delta) as code,
          sum(change)::integer as count
        from (select -1 as change, * from replaced where facet_key is not null and resolved_at is null
          union all select 1, * from written where facet_key is not null and resolved_at is null) as changed
        group by tenant_id, provider_id, check_key, facet_key, code having sum(change) <> 0) as counted
      group by tenant_id, provider_id;
  else
    insert into finding_total_changes
        (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
      select tenant_id, provider_id, array_agg(check_key), array_agg(facet_key), array_agg(code), array_agg(count) from (
        select tenant_id, provider_id, check_key, facet_key, finding_count_code(severity, status, muted, delta) as code,
          count(*)::integer as count
        from written where facet_key is not null and resolved_at is null
        group by tenant_id, provider_id, check_key, facet_key, code) as counted
      group by tenant_id, provider_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sluice.note_finding_deletions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if coalesce(current_setting('sluice.counts', true), '') = 'merge' then return null; end if;
  insert into finding_total_changes
      (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
    select tenant_id, provider_id, array_agg(check_key), array_agg(facet_key), array_agg(code), array_agg(count) from (
      select tenant_id, provider_id, check_key, facet_key, finding_count_code(severity, status, muted, delta) as code,
        -count(*)::integer as count
      from deleted where facet_key is not null and resolved_at is null
      group by tenant_id, provider_id, check_key, facet_key, code) as counted
    group by tenant_id, provider_id;
  delete from finding_resources r using deleted d where r.tenant_id = d.tenant_id and r.finding_id = d.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sluice.queue_garbage_collection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  tenant uuid := coalesce(new.tenant_id, old.tenant_id);
begin
  insert into sluice.garbage_collection_queue (tenant_id) values (tenant);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sluice.queue_reread()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into reread_queue values (old.tenant_id, old.ingestion_id, old.number) on conflict do nothing;
  update ingestions set change_counts = null where tenant_id = old.tenant_id and id = old.ingestion_id;
  update scans set change_counts = null where tenant_id = old.tenant_id and ingestion_id = old.ingestion_id;
  return null;
end $function$;

CREATE OR REPLACE PROCEDURE sluice.queue_rereads()
 LANGUAGE plpgsql
AS $procedure$
begin
  create or replace trigger queue_reread after delete on frame_queue
    for each row when (coalesce(current_setting('sluice.counts', true), '') <> 'merge')
    execute function queue_reread();
end $procedure$;

CREATE OR REPLACE FUNCTION sluice.remove_provider_resources()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from resources where tenant_id = old.tenant_id and provider_id = old.provider_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sluice.replaced_record(is_duplicate boolean, frame integer, record_offset integer, record_index bigint, scan_id uuid, state smallint, prior_state smallint, follows_resolution boolean)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_build_object('isDuplicate', $1, 'frame', $2, 'offset', $3, 'recordIndex', $4, 'scanId', $5, 'state', $6, 'prior', $7,
    'followsResolution', $8) $function$;

CREATE OR REPLACE FUNCTION sluice.set_finding_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  has_newer boolean := false;
begin
  new.scan_id := finding_scan_id(new.ingestion_id, new.provider_id, new.scan_uid);
  if tg_op = 'UPDATE' then
    -- The previous release stores only the first resource of a record.
    if (new.ingestion_id, new.record_index) is distinct from (old.ingestion_id, old.record_index) then
      delete from finding_resources where tenant_id = new.tenant_id and finding_id = new.id;
      -- The previous release does not know that findings can be resolved.
      new.resolved_at := null;
      new.resolved_by := null;
    end if;
    -- They describe the latest merge, which is now one of the previous release.
    new.replaced_code := null;
    new.replaced_facet := null;
    new.replaced := null;
    -- The id of a finding determines its check and its resource.
    if old.facet_key is not null and (new.service, new.region, new.resource_type)
      is not distinct from (old.service, old.region, old.resource_type) then return new; end if;
    -- The record in the frame is older, so that create_incoming_dimensions does not have that of the finding. The backfill leaves out
    -- findings with keys.
    has_newer := old.facet_key is null and (new.ingestion_id, new.record_index) is not distinct from (old.ingestion_id, old.record_index);
  end if;
  for attempt in 1..2 loop
    if has_newer or attempt = 2 then
      perform create_finding_dimensions(new.tenant_id, array[new.provider_id], array[new.check_id], array[new.service],
        array[new.region], array[new.resource_type], array[new.resource_uid], array[new.resource_name], array[new.last_seen_at]);
    end if;
    select c.key into new.check_key from providers p
      join checks c on c.tenant_id = p.tenant_id and c.provider_type = p.type and c.check_id = new.check_id
      where p.tenant_id = new.tenant_id and p.id = new.provider_id;
    select key into new.facet_key from finding_facets
      where tenant_id = new.tenant_id and id = finding_facet_id(new.service, new.region, new.resource_type);
    select key into new.resource_key from resources
      where tenant_id = new.tenant_id and id = finding_resource_id(new.provider_id, new.resource_uid);
    exit when new.check_key is not null and new.facet_key is not null
      and (new.resource_key is not null or new.resource_uid is null);
  end loop;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION sluice.set_provider_times()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if to_regclass('pg_temp.finding_changes') is null then return null; end if;
  with later as materialized (
    select p.id, c.at from (select provider_id, max(last_seen_at) as at from finding_changes group by provider_id) as c
    join providers p on p.tenant_id = current_tenant() and p.id = c.provider_id
    where p.last_seen_at is null or p.last_seen_at < c.at
    order by p.id for no key update of p
  )
  update providers p set last_seen_at = later.at from later where p.tenant_id = current_tenant() and p.id = later.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION sluice.unpack_findings(packed text, details text, uids text)
 RETURNS TABLE(id uuid, provider_id uuid, scan_id uuid, record_index bigint, record_offset integer, record_bytes integer, status finding_status, severity smallint, muted boolean, last_seen_at timestamp with time zone, status_detail text, first_seen_at timestamp with time zone, status_changed_at timestamp with time zone, other_status_at timestamp with time zone, check_key bigint, facet_key bigint, resource_key bigint, uid text)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE ROWS 5000
AS $function$
  select u.id, p.providers[u.provider], p.scans[u.scan], u.record_index, u.record_offset, u.record_bytes,
    (array['PASS', 'FAIL', 'MANUAL'])[u.code / 6 % 3 + 1]::sluice.finding_status, (u.code / 18)::smallint, u.code % 6 = 3,
    p.times[u.last_seen], u.detail, p.times[coalesce(u.first_seen, u.last_seen)], p.times[coalesce(u.changed, u.last_seen)],
    p.times[u.other], u.check_key, u.facet_key, u.resource_key, u.uid
  from (
    select c as columns, c[1]::uuid[] as providers, c[2]::uuid[] as scans, c[3]::timestamptz[] as times
    from (select string_to_array($1, E'\x01') as c offset 0) as split offset 0
  ) as p
  cross join lateral unnest(p.columns[4]::uuid[], p.columns[5]::integer[], p.columns[6]::integer[], p.columns[7]::bigint[],
    p.columns[8]::integer[], p.columns[9]::integer[], p.columns[10]::integer[], p.columns[11]::integer[], p.columns[12]::integer[],
    p.columns[13]::integer[], p.columns[14]::integer[], p.columns[15]::bigint[], p.columns[16]::bigint[], p.columns[17]::bigint[], $2::text[], $3::text[])
    as u (id, provider, scan, record_index, record_offset, record_bytes, code, last_seen, first_seen, changed, other, check_key,
      facet_key, resource_key, detail, uid) $function$;

CREATE OR REPLACE PROCEDURE sluice.use_previous_layout()
 LANGUAGE plpgsql
AS $procedure$
begin
  -- The tables in the order in which the previous release locks them.
  create or replace trigger remove_resources after delete on provider_removals
    for each row execute function remove_provider_resources();
  if exists (select from pg_attribute where attrelid = 'findings'::regclass and attname = 'check_id' and not attnotnull) then
    alter table findings alter column check_id set not null, alter column uid set not null;
    drop index findings_uid, findings_with_uid;
    create index findings_check on findings (tenant_id, check_id);
    create index findings_severity on findings (tenant_id, severity, id) where status <> 'PASS' or severity not in (2, 3, 4);
    create trigger note_insertions after insert on findings
      referencing new table as written
      for each statement execute function note_finding_changes();
    create trigger note_updates after update on findings
      referencing old table as replaced new table as written
      for each statement execute function note_finding_changes();
  end if;
  if not exists (select from pg_trigger where tgrelid = 'findings'::regclass and tgname = 'note_deletions') then
    create trigger note_deletions after delete on findings
      referencing old table as deleted
      for each statement execute function note_finding_deletions();
  end if;
  create or replace trigger create_dimensions before insert on findings
    for each statement when (coalesce(current_setting('sluice.counts', true), '') not in ('merge', 'backfill'))
    execute function create_incoming_dimensions();
  create or replace trigger set_keys before insert or update on findings
    for each row when (coalesce(current_setting('sluice.counts', true), '') not in ('merge', 'backfill'))
    execute function set_finding_keys();
  create or replace trigger set_provider_times before insert on finding_counts
    for each statement when (coalesce(current_setting('sluice.counts', true), '') not in ('merge', 'backfill'))
    execute function set_provider_times();
end $procedure$;

-- not described: checks_key_seq of kind S

-- not described: finding_facets_key_seq of kind S

-- not described: finding_total_changes_id_seq of kind S

-- not described: resources_key_seq of kind S
