-- Backfills the keys of findings that were written before 0024-resources-and-totals.sql, and of those that the previous
-- release writes: docs/decisions/0086-backfill-in-the-background.md.
--
-- The setting sluice.counts names the writer of a transaction: 'merge' for this release, which writes keys and counts
-- itself, 'backfill' for backfill_findings, anything else for the previous release.

-- As src/lib/derived-id.ts; the parts of the key are separated by zero bytes. In PL/pgSQL, because a function in SQL that is
-- not inlined takes several times as long.
-- The costs make the planner cache the results in joins.
create function derived_id(key bytea) returns uuid
  language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  digest bytea := substr(sha256(key), 1, 16);
begin
  return encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid;
end $$;

-- The id of a facet without product, which the previous release does not store.
create function finding_facet_id(service text, region text, resource_type text) returns uuid
  language plpgsql immutable parallel safe cost 1000 as $$
begin
  return derived_id(coalesce(convert_to(E'\u0001' || service, 'UTF8'), '') || '\x00'
    || coalesce(convert_to(E'\u0001' || region, 'UTF8'), '') || '\x00'
    || coalesce(convert_to(E'\u0001' || resource_type, 'UTF8'), '') || '\x00');
end $$;

-- As scanId in ingest/merge/scans.ts.
create function finding_scan_id(ingestion_id uuid, provider_id uuid, scan_uid text) returns uuid
  language plpgsql immutable parallel safe cost 1000 as $$
begin
  return derived_id(convert_to(ingestion_id::text, 'UTF8') || '\x00' || convert_to(provider_id::text, 'UTF8') || '\x00'
    || convert_to(coalesce(scan_uid, ''), 'UTF8'));
end $$;

-- Null if there is no resource.
create function finding_resource_id(provider_id uuid, uid text) returns uuid
  language plpgsql immutable strict parallel safe as $$
begin
  return derived_id(convert_to(provider_id::text, 'UTF8') || '\x00' || convert_to(uid, 'UTF8'));
end $$;

-- Whether a resource has attributes from an older record. Of two records with the same time, the greater attributes are stored. The
-- previous release does not store labels.
create function has_older_attributes(stored resources, newest resources) returns boolean
  language sql immutable parallel safe
  return (stored.seen_at, coalesce(stored.name, '') collate "C", coalesce(stored.type, '') collate "C",
      coalesce(stored.region, '') collate "C", coalesce(stored.service, '') collate "C")
    < (newest.seen_at, coalesce(newest.name, '') collate "C", coalesce(newest.type, '') collate "C",
      coalesce(newest.region, '') collate "C", coalesce(newest.service, '') collate "C");

-- Creates the checks, facets and resources of these findings that are missing, and updates resources with older attributes, as
-- ingest/merge/create-resources.ts does. Every transaction creates them in this order, sorted by id, then updates resources, sorted
-- by id, and then locks findings, so that two never deadlock. PostgreSQL expects few elements of an array in a subquery and
-- looks up each of them. Otherwise, it reads all resources of the tenant until the table has statistics.
create function create_finding_dimensions(tenant uuid, provider_ids uuid[], check_ids text[], services text[],
    regions text[], resource_types text[], resource_uids text[], resource_names text[], times timestamptz[]) returns void
  language plpgsql as $$
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
end $$;

-- Before the previous release merges a frame: creates what set_finding_keys looks up. `incoming` is the temporary table
-- that contains the frame's rows.
create function create_incoming_dimensions() returns trigger
  language plpgsql as $$
begin
  if to_regclass('pg_temp.incoming') is null then return null; end if;
  perform create_finding_dimensions(current_tenant(), array_agg(provider_id), array_agg(check_id), array_agg(service),
    array_agg(region), array_agg(resource_type), array_agg(resource_uid), array_agg(resource_name), array_agg(last_seen_at))
    from incoming;
  return null;
end $$;

-- Sets the keys of a row that the previous release writes.
create function set_finding_keys() returns trigger
  language plpgsql as $$
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
end $$;

-- Also adds the changes of the previous release to the totals. Findings without keys are not part of the totals.
create or replace function note_finding_changes() returns trigger
  language plpgsql as $$
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
end $$;

-- Before the previous release adds a frame to the counts; this release has locked the rows of providers by then, too.
create function set_provider_times() returns trigger
  language plpgsql as $$
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
end $$;

-- Only the removal of deleted providers deletes findings, in both releases.
create function note_finding_deletions() returns trigger
  language plpgsql as $$
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
end $$;

-- The previous release does not remove the resources of deleted providers.
create function remove_provider_resources() returns trigger
  language plpgsql as $$
begin
  delete from resources where tenant_id = old.tenant_id and provider_id = old.provider_id;
  return null;
end $$;

-- Creates the dimensions of the tenant's next findings. Returns the id of the last of them; null if there are none, and
-- the tenant is backfilled. Commit before backfill_findings, so that no frame waits for a backfill that waits for another frame.
create function begin_backfill(tenant uuid, max_rows integer) returns uuid
  language plpgsql as $$
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
end $$;

-- Sets the keys of the tenant's findings up to this id and adds them to the totals. Returns their number. Findings of
-- deleted providers are left out: they are about to be removed.
create function backfill_findings(tenant uuid, last uuid) returns integer
  language plpgsql as $$
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
end $$;

-- Makes the database usable for the previous release, which reads and writes the columns of the previous layout. Does
-- nothing where they are in use already.
create procedure use_previous_layout() language plpgsql as $$
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
end $$;

do $$
declare
  tenant uuid;
begin
  if exists (select from pg_trigger where tgrelid = 'findings'::regclass and tgname = 'note_insertions') then
    call use_previous_layout();
    -- Tenants that the previous release created since the migration that created this table. From here on, it cannot
    -- write findings without keys: this transaction has locked the table.
    insert into finding_backfills (tenant_id) select tenant_id from tenant_housekeeping on conflict do nothing;
    -- The newest records of all providers. Tenant by tenant, because suspending row level security would lock the tables.
    for tenant in select tenant_id from tenant_housekeeping loop
      perform set_config('sluice.tenant_id', tenant::text, true);
      update providers p set last_seen_at = c.at
        from (select provider_id, max(last_seen_at) as at from finding_counts where tenant_id = tenant group by provider_id) as c
        where p.tenant_id = tenant and p.id = c.provider_id and (p.last_seen_at is null or p.last_seen_at < c.at);
    end loop;
  else
    -- The previous release must not use this database. As all others, this row is part of backups.
    update schema_migrations set oldest_line = 2 where name = '0024-resources-and-totals.sql';
  end if;
end $$;
