-- Accounts are compared in their normalized form now (packages/ocsf/src/detection-finding/account.ts). Those that are here
-- get it; where two of them become one, the older provider takes over findings and scans. The owner has to see all tenants
-- for once.
alter table providers no force row level security;
alter table findings no force row level security;
alter table finding_counts no force row level security;
alter table scans no force row level security;
alter table checks no force row level security;
alter table findings disable trigger user;

create function pg_temp.plain_text(value text) returns text language sql immutable as $$
  select case when value ~ '^[!-~]*$' then value else btrim(
    normalize(regexp_replace(value, '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
      '', 'g'), NFC),
    E'\t\n\u000B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000')
  end $$;

create function pg_temp.plain_account(type text, account text) returns text language sql immutable as $$
  select case
    when type in ('azure', 'entra', 'm365') and account ~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$'
      or type = 'okta' and account ~* '^[\da-z-]+(\.[\da-z-]+)+$' then lower(account)
    else account end $$;

-- As src/derived-id.ts.
create function pg_temp.derived_id(variadic parts text[]) returns uuid language sql immutable as $$
  select encode(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128), 8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid
  from (select substr(sha256(string_agg(convert_to(part, 'UTF8'), '\x00' order by at)), 1, 16) as digest
    from unnest(parts) with ordinality as p (part, at)) as hashed $$;

create temporary table normalized on commit drop as
  select tenant_id, id, deleted_at is null as is_live, created_at, type as old_type,
    lower(pg_temp.plain_text(type)) as type,
    pg_temp.plain_account(lower(pg_temp.plain_text(type)), pg_temp.plain_text(account)) as account
  from providers;

create temporary table merged on commit drop as
  select tenant_id, id, kept from (
    select tenant_id, id, first_value(id) over (partition by tenant_id, type, account order by created_at, id) as kept
    from normalized where is_live) as p
  where id <> kept;

-- Of two findings that become one the newer record is the state, as in jobs/merge-findings.ts.
create temporary table moved on commit drop as
  select f.*, m.kept as new_provider_id,
    pg_temp.derived_id(m.kept::text, f.check_id, f.uid, coalesce(f.resource_uid, '')) as new_id
  from findings f join merged m on m.tenant_id = f.tenant_id and m.id = f.provider_id;
insert into moved
  select f.*, f.provider_id, f.id from findings f
  where exists (select from moved m where m.tenant_id = f.tenant_id and m.new_id = f.id);
delete from findings f using moved m where m.tenant_id = f.tenant_id and m.id = f.id;
insert into findings (tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes, status,
    severity, muted, first_seen_at, last_seen_at, status_changed_at, other_status_at, previous_status, previous_seen_at,
    previous_ingestion_id, check_id, uid, resource_uid, resource_name, resource_type, region, service, scan_uid, status_detail)
  select distinct on (tenant_id, new_id) tenant_id, new_id, new_provider_id, ingestion_id, record_index, frame,
    record_offset, record_bytes, status, severity, muted, min(first_seen_at) over one, last_seen_at,
    status_changed_at, other_status_at, previous_status, previous_seen_at, previous_ingestion_id, check_id, uid, resource_uid,
    resource_name, resource_type, region, service, scan_uid, status_detail
  from moved window one as (partition by tenant_id, new_id)
  order by tenant_id, new_id, last_seen_at desc, ingestion_id desc,
    case status when 'FAIL' then 4 when 'MANUAL' then 2 else 0 end + (not muted)::int desc, record_index desc;

delete from finding_counts c using merged m
  where c.tenant_id = m.tenant_id and c.provider_id in (m.id, m.kept);
insert into finding_counts (tenant_id, provider_id, service, severity, status, muted, delta, number, last_seen_at)
  select tenant_id, provider_id, coalesce(service, ''), severity, status, muted, delta, count(*), max(last_seen_at)
  from findings f where exists (select from merged m where m.tenant_id = f.tenant_id and m.kept = f.provider_id)
  group by tenant_id, provider_id, service, severity, status, muted, delta;

-- The counts of two scans of one upload that become one are added up.
create temporary table moved_scans on commit drop as
  select s.*, m.kept, pg_temp.derived_id(s.ingestion_id::text, m.kept::text, coalesce(s.uid, '')) as new_id
  from scans s join merged m on m.tenant_id = s.tenant_id and m.id = s.provider_id;
delete from scans s using moved_scans m where m.tenant_id = s.tenant_id and m.id = s.id;
do $$
declare
  numbers text[] := (select array_agg(quote_ident(attname) order by attnum) from pg_attribute
    where attrelid = 'scans'::regclass and attnum > 0 and not attisdropped and atttypid = 'bigint'::regtype);
begin
  execute format(
    'insert into scans as s (tenant_id, id, ingestion_id, provider_id, uid, inserted_at, started_at, ended_at, %s)
       select tenant_id, new_id, ingestion_id, kept, uid, min(inserted_at), min(started_at), max(ended_at), %s
       from moved_scans group by tenant_id, new_id, ingestion_id, kept, uid
     on conflict (tenant_id, id) do update set started_at = least(s.started_at, excluded.started_at),
       ended_at = greatest(s.ended_at, excluded.ended_at), %s',
    array_to_string(numbers, ', '),
    (select string_agg(format('sum(%s)', name), ', ') from unnest(numbers) as name),
    (select string_agg(format('%1$s = s.%1$s + excluded.%1$s', name), ', ') from unnest(numbers) as name));
end $$;

-- The names that users gave to providers that go.
update providers p set alias = (
    select o.alias from merged m join providers o on o.tenant_id = m.tenant_id and o.id = m.id
    where m.tenant_id = p.tenant_id and m.kept = p.id and o.alias is not null order by o.created_at, o.id limit 1)
  where p.alias is null and exists (select from merged m where m.tenant_id = p.tenant_id and m.kept = p.id);
delete from providers p using merged m where m.tenant_id = p.tenant_id and m.id = p.id;
update providers p set type = n.type, account = n.account from normalized n
  where n.tenant_id = p.tenant_id and n.id = p.id and (p.type, p.account) <> (n.type, n.account);

-- The newest texts of each check, under the normalized type.
create temporary table moved_checks on commit drop as
  select distinct c.*, n.type as new_type from checks c
  join normalized n on n.tenant_id = c.tenant_id and n.old_type = c.provider_type where n.type <> n.old_type;
delete from checks c using moved_checks m
  where (m.tenant_id, m.provider_type, m.check_id) = (c.tenant_id, c.provider_type, c.check_id);
insert into checks (tenant_id, provider_type, check_id, title, description, risk, remediation, "references", categories, seen_at)
  select tenant_id, new_type, check_id, title, description, risk, remediation, "references", categories, seen_at
  from (select distinct on (tenant_id, new_type, check_id) * from moved_checks
    order by tenant_id, new_type, check_id, seen_at desc) as newest
  on conflict (tenant_id, provider_type, check_id) do update set title = excluded.title, description = excluded.description,
    risk = excluded.risk, remediation = excluded.remediation, "references" = excluded."references",
    categories = excluded.categories, seen_at = excluded.seen_at
  where checks.seen_at < excluded.seen_at;

alter table findings enable trigger user;
alter table providers force row level security;
alter table findings force row level security;
alter table finding_counts force row level security;
alter table scans force row level security;
alter table checks force row level security;
