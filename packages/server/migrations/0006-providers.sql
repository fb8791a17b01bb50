-- A name of the tenant's own. Not unique: an account at AWS and one at GitHub may both be called Production.
alter table providers add column alias text;

-- Deleted providers that may still have rows. Whoever removes them looks over all tenants here, so it has no row level
-- security and holds ids only.
create table provider_removals (
  tenant_id uuid not null,
  provider_id uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, provider_id)
);

-- What was deleted before this queue was there may have been followed by rows of a frame that was under way. The owner
-- has to see all tenants for once.
alter table providers no force row level security;
insert into provider_removals (tenant_id, provider_id) select tenant_id, id from providers where deleted_at is not null;
alter table providers force row level security;
