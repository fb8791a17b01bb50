-- Functions for the merge of findings on the nodes of a cluster. Citus forwards a function call to a node only if the function is
-- immutable. These are declared immutable although their bodies are not, because their results do not depend on settings: texts and
-- numbers have one form, and the times that `unpack_findings` reads name UTC.

-- The rows of a frame from three texts: one packed text is half as long as a parameter per column, and the coordinator copies
-- parameters once per shard. `packed` has one array per column, separated by U+0001: first the distinct providers, scans and times, then
-- the columns, which refer to them by number. `code` is the `finding_count_code` of a new finding. Null times equal `last_seen`.
create or replace function unpack_findings(packed text, details text, uids text)
  returns table (id uuid, provider_id uuid, scan_id uuid, record_index bigint, record_offset integer, record_bytes integer,
    status finding_status, severity smallint, muted boolean, last_seen_at timestamptz, status_detail text, first_seen_at timestamptz,
    status_changed_at timestamptz, other_status_at timestamptz, check_key bigint, facet_key bigint, resource_key bigint, uid text)
  language sql immutable parallel safe rows 5000 as $$
  select u.id, p.providers[u.provider], p.scans[u.scan], u.record_index, u.record_offset, u.record_bytes,
    (array['PASS', 'FAIL', 'MANUAL'])[u.code / 6 % 3 + 1]::sluice.finding_status, (u.code / 18)::smallint, u.code % 6 = 3,
    p.times[u.last_seen], u.detail, p.times[coalesce(u.first_seen, u.last_seen)], p.times[coalesce(u.changed, u.last_seen)],
    p.times[u.other], u.check_key, u.facet_key, u.resource_key, u.uid
  from (
    select c as columns, c[1]::uuid[] as providers, c[2]::uuid[] as scans, c[3]::timestamptz[] as times
    from (select string_to_array($1, E'\x01') as c offset 0) as split offset 0
  ) as p
  cross join lateral unnest(p.columns[4]::uuid[], p.columns[5]::integer[], p.columns[6]::integer[], p.columns[7]::bigint[],
    p.columns[8]::integer[], p.columns[9]::integer[], p.columns[10]::integer[], p.columns[11]::integer[], p.columns[12]::integer[],
    p.columns[13]::integer[], p.columns[14]::integer[], p.columns[15]::bigint[], p.columns[16]::bigint[], p.columns[17]::bigint[], $2::text[], $3::text[])
    as u (id, provider, scan, record_index, record_offset, record_bytes, code, last_seen, first_seen, changed, other, check_key,
      facet_key, resource_key, detail, uid) $$;

-- The record that a newer one of the same upload replaces (`findings.replaced`).
create or replace function replaced_record(is_duplicate boolean, frame integer, record_offset integer, record_index bigint, scan_id uuid,
  state smallint, prior_state smallint, follows_resolution boolean) returns jsonb
  language sql immutable parallel safe as $$
  select jsonb_build_object('isDuplicate', $1, 'frame', $2, 'offset', $3, 'recordIndex', $4, 'scanId', $5, 'state', $6, 'prior', $7,
    'followsResolution', $8) $$;

-- The description of a check as one text, to order descriptions.
create or replace function check_texts(title text, description text, risk text, remediation text, "references" text[],
  categories text[], compliance text[]) returns text
  language sql immutable parallel safe as $$ select row($1, $2, $3, $4, $5, $6, $7)::text $$;
