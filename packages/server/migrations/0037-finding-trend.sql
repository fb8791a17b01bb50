-- The trend counts changes at the time at which they were learned: docs/decisions/0093-trend-from-learned-changes.md.

-- In a block, because Citus sends the whole text of a message to the nodes.
do $$ begin
  -- When the change was learned: for existing changes, the time of this migration. The previous release leaves it to the default.
  alter table finding_total_changes add column inserted_at timestamptz not null default now();
  alter table finding_total_changes alter column inserted_at set default clock_timestamp();
end $$;

-- How the number of failing findings changed in an hour or a day of UTC, in each of five groupings: 0 in total, 1 by check, 2 by facet, 3
-- by provider, 4 by provider, check and facet. The n-th count is that of the n-th check, facet and severity.
create table failing_finding_changes (
  tenant_id uuid not null,
  grouping smallint not null,
  -- Zero in groupings 0 to 2.
  provider_id uuid not null,
  starts_at timestamptz not null,
  -- Whether the row has the changes of a day. Hours are merged into days later.
  is_day boolean not null,
  -- Null in groupings without check or facet.
  check_keys bigint[],
  facet_keys bigint[],
  severities smallint[] not null,
  counts integer[] not null
);
-- Partial, so that lookups of a row use the primary key: a new hour has no statistics, and its index would seem as good.
create index failing_finding_changes_days on failing_finding_changes (tenant_id, starts_at) where is_day;
create index failing_finding_changes_hours on failing_finding_changes (tenant_id, starts_at) where not is_day;
-- Created last: with outdated statistics, PostgreSQL prefers the newest of several indexes that begin with tenant_id.
alter table failing_finding_changes add primary key (tenant_id, grouping, provider_id, starts_at, is_day);
-- Compression takes several times as long as everything else.
alter table failing_finding_changes alter check_keys set storage external, alter facet_keys set storage external,
  alter severities set storage external, alter counts set storage external;
call isolate_by_tenant('failing_finding_changes');

-- When the changes of a tenant began to be recorded, if it is from an earlier release: the time of this migration, or of the end of its
-- backfill.
create table finding_trend_starts (
  tenant_id uuid not null primary key,
  started_at timestamptz not null
);
insert into finding_trend_starts (tenant_id, started_at) select tenant_id, now() from tenant_housekeeping;
call isolate_by_tenant('finding_trend_starts');

do $$ begin
  if exists (select from pg_roles where rolname = 'sluice_app') then
    grant select, insert, update, delete on failing_finding_changes, finding_trend_starts to sluice_app;
  end if;
end $$;
