-- Webhooks by the Standard Webhooks specification: docs/decisions/0095-webhook-deliveries-from-an-outbox.md.

create table webhooks (
  tenant_id uuid not null references tenants,
  id uuid not null,
  url text not null,
  description text,
  format text not null check (format in ('standard', 'slack')),
  events text[] not null,
  -- The providers whose ingestions are reported; null for all.
  provider_ids uuid[],
  -- The severities of changed findings that are reported; null for all.
  severities text[],
  -- Secrets are stored as they are, because deliveries are signed with them.
  secret text not null,
  -- Also signs until it expires.
  previous_secret text,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null default now(),
  -- Null if the webhook is enabled.
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('user', 'failed', 'gone')),
  primary key (tenant_id, id),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_secret_expires_at is null))
);
call isolate_by_tenant('webhooks');

-- The outbox: an event for one webhook, inserted in the transaction that causes the event.
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  -- The same for all webhooks.
  event_id uuid not null,
  event_type text not null,
  -- The body of the request, which is the same in each attempt.
  payload text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Failed attempts since the delivery was created or repeated.
  failures integer not null default 0,
  created_at timestamptz not null,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  response_status integer,
  response_body text,
  error text,
  primary key (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks on delete cascade,
  check ((status = 'pending') = (next_attempt_at is not null))
);
call isolate_by_tenant('webhook_deliveries');
create index webhook_deliveries_webhook on webhook_deliveries (tenant_id, webhook_id, created_at, id);
create index webhook_deliveries_created on webhook_deliveries (tenant_id, created_at);

-- Pending deliveries, which workers claim by locking their rows. Read across tenants, so without row level security. In a distributed
-- database, it is on the coordinator.
create table webhook_queue (
  tenant_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  available_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, delivery_id)
);
create index webhook_queue_available on webhook_queue (available_at);

-- Updates tenant_housekeeping (0046-due-removals.sql).
create trigger queue_inserted after insert on webhook_deliveries
  for each row execute function queue_garbage_collection();

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on webhooks, webhook_deliveries, webhook_queue to sluice_app;
  end if;
end $$;
