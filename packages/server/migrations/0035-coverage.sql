-- Findings that are absent from an upload that is complete for them are resolved: docs/decisions/0091-findings-are-resolved-by-coverage.md.

alter table ingestions
  -- What the upload is complete for: partial (nothing), checks (each account, product and check in it), or account (each account and
  -- product in it).
  add column coverage text not null default 'partial';

-- The scopes of one frame of an upload with coverage, and the earliest record time in each: the n-th scope is that of the n-th
-- provider, product and check, which is zero if the scope has all checks. Removed when the job ends without errors.
create table coverage_parts (
  tenant_id uuid not null,
  ingestion_id uuid not null,
  frame integer not null,
  provider_ids uuid[] not null,
  products text[] not null,
  check_keys bigint[] not null,
  times timestamptz[] not null,
  primary key (tenant_id, ingestion_id, frame),
  foreign key (tenant_id, ingestion_id) references ingestions on delete cascade
);
call isolate_by_tenant('coverage_parts');

-- The scopes of a completed upload by provider and product: the n-th time is that of the n-th check, as above. They remain when the
-- job is removed. A user can also resolve the findings of a product: such a row has all checks and the time of the request, and
-- ingestion_id is not that of an upload.
create table coverages (
  tenant_id uuid not null,
  provider_id uuid not null,
  ingestion_id uuid not null,
  -- Derived from the product, which can be too long for an index.
  id uuid not null,
  product text not null,
  check_keys bigint[] not null,
  times timestamptz[] not null,
  -- The latest of the times.
  newest_time timestamptz not null,
  -- Whether a user resolved the findings.
  is_manual boolean not null default false,
  published_at timestamptz not null,
  primary key (tenant_id, provider_id, ingestion_id, id)
);
call isolate_by_tenant('coverages');
create index coverages_newest on coverages (tenant_id, provider_id, newest_time);
create index coverages_ingestion on coverages (tenant_id, ingestion_id);

-- The products that have reported findings of a provider.
create table provider_products (
  tenant_id uuid not null,
  provider_id uuid not null,
  -- Derived from the product, as in `coverages`.
  id uuid not null,
  product text not null,
  -- The version in the newest record; the greatest if several records have its time.
  version text,
  last_seen_at timestamptz not null,
  primary key (tenant_id, provider_id, id)
);
call isolate_by_tenant('provider_products');

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on coverage_parts, coverages, provider_products to sluice_app;
  end if;
end $$;
