-- What is due for removal: events, deliveries of webhooks, and files of dry runs.

alter table tenant_housekeeping
  -- The oldest event that was too recent at the last garbage collection, as for jobs (0022-due-garbage-collection.sql).
  add column oldest_event_at timestamptz,
  -- When the oldest delivery of a webhook was created.
  add column oldest_delivery_at timestamptz,
  -- When the oldest dry run ended whose file is stored.
  add column oldest_dry_run_at timestamptz;
create index tenant_housekeeping_events on tenant_housekeeping (oldest_event_at);
create index tenant_housekeeping_deliveries on tenant_housekeeping (oldest_delivery_at);
create index tenant_housekeeping_dry_runs on tenant_housekeeping (oldest_dry_run_at);
