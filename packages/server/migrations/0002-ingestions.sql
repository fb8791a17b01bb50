create type ingestion_status as enum ('pending', 'processing', 'completed', 'failed');

create table ingestions (
  tenant_id uuid not null references tenants,
  -- UUID version 7, made when the request came in: a later upload has a greater id
  id uuid not null,
  status ingestion_status not null default 'pending',
  file_name text,
  -- as received, and inflated
  received_bytes bigint not null,
  bytes bigint not null,
  default_provider text,
  default_account text,
  total bigint not null,
  processed bigint not null default 0,
  invalid bigint not null default 0,
  -- records that are Detection Findings, good or not
  detection_findings bigint not null default 0,
  -- the file itself is bad (code of its error)
  file_fault text,
  errors_kept bigint not null default 0,
  frames integer not null,
  frames_done integer not null default 0,
  requested_at timestamptz not null,
  inserted_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  api_key_id uuid not null,
  primary key (tenant_id, id),
  check (processed <= total and invalid <= processed and frames_done <= frames)
);
call isolate_by_tenant('ingestions');
create index ingestions_inserted on ingestions (tenant_id, inserted_at desc, id desc);

-- A stretch of the inflated file, cut between records; in the blob it is one zstd frame and its record index.
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
  -- how often a worker began it
  attempts smallint not null default 0,
  primary key (tenant_id, ingestion_id, number),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('frames');

-- One row per frame that is still to be processed. The lock on it, held by the transaction that does the work,
-- is the claim. Workers look over all tenants here, so it has no row level security and no tenant's data.
create table frame_queue (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  number integer not null,
  available_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, ingestion_id, number)
);

-- Claims the next frame for the transaction that calls: of the next tenant in turn after the given one that
-- has a free frame, the oldest upload's first free frame.
create function claim_frame(after_tenant uuid) returns setof frame_queue
  language plpgsql volatile as $$
declare
  -- the lowest uuid comes before every real one
  turn uuid := after_tenant;
  wrapped boolean := false;
begin
  loop
    select q.tenant_id into turn from frame_queue q
      where q.tenant_id > turn and q.available_at <= clock_timestamp()
      order by q.tenant_id limit 1;
    if found then
      return query select q.* from frame_queue q
        where q.tenant_id = turn and q.available_at <= clock_timestamp()
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

create table ingestion_errors (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  -- where the record starts, or where the file is bad
  byte_offset bigint not null,
  code text not null,
  -- null: the error is the file's, not a record's
  record_index bigint,
  pointer text,
  finding_uid text,
  detail text not null,
  primary key (tenant_id, ingestion_id, byte_offset, code),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('ingestion_errors');

-- Exact, also beyond the number of errors that are kept.
create table ingestion_error_counts (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  code text not null,
  count bigint not null,
  primary key (tenant_id, ingestion_id, code),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('ingestion_error_counts');

create table idempotency_keys (
  tenant_id uuid not null,
  key text not null,
  request_sha256 bytea not null,
  ingestion_id uuid not null,
  inserted_at timestamptz not null default now(),
  primary key (tenant_id, key),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('idempotency_keys');
