-- Set before the blob is deleted: from then on nobody may read it, and where it is still there it is an orphan.
alter table ingestions add column blob_removed_at timestamptz;
create index ingestions_completed on ingestions (tenant_id, completed_at);
-- For the foreign key: without it every job that is deleted reads all keys of its tenant.
create index idempotency_keys_ingestion on idempotency_keys (tenant_id, ingestion_id);

-- The tenants, and when housekeeping was last done with each. Housekeeping goes over all of them, so it has no row level
-- security and holds ids only.
create table tenant_housekeeping (
  tenant_id uuid primary key references tenants on delete cascade,
  done_at timestamptz not null default clock_timestamp()
);

create function keep_house_for_tenant() returns trigger
  language plpgsql as $$
begin
  insert into tenant_housekeeping (tenant_id) values (new.tenant_id);
  return null;
end $$;
create trigger keep_house after insert on tenants for each row execute function keep_house_for_tenant();

-- The owner has to see all tenants for once.
alter table tenants no force row level security;
insert into tenant_housekeeping (tenant_id) select tenant_id from tenants;
alter table tenants force row level security;
