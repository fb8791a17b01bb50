-- The time of the newest record of each provider. 0029-backfill.sql sets the times of providers that exist.
alter table providers add column last_seen_at timestamptz;
