import assert from 'node:assert/strict';

const NO_PROVIDER = '00000000-0000-0000-0000-000000000000';
/** The columns of each grouping of `finding_totals`; the dimension that a grouping lacks is zero. */
const GROUPINGS = [
  { number: 1, columns: ['provider_id', '0', 'facet_key'] },
  { number: 2, columns: ['provider_id', 'check_key', '0'] },
  { number: 3, columns: [`'${NO_PROVIDER}'`, 'check_key', 'facet_key'] },
  { number: 4, columns: ['provider_id', '0', '0'] },
] as const;
const GROUP = 'tenant_id, grouping, provider_id, check_key, facet_key, code';

const groupedBy = (source: string, count: string) =>
  GROUPINGS.map(
    ({ number, columns: [provider, check, facet] }) =>
      `select tenant_id, ${number}::smallint as grouping, ${provider}::uuid as provider_id, ${check}::bigint as check_key,
         ${facet}::bigint as facet_key, code, ${count} as count from ${source}`,
  ).join(' union all ');

/** SQL query for the differences between the totals with their pending changes and the open findings in `findings`. */
export const countDifferences = (findings: string) => `
  select ${GROUP}, sum(count)::int as difference from (
    ${groupedBy(
      `(select *, sluice.finding_count_code(severity, status, muted, delta) as code from ${findings} where resolved_at is null) as counted`,
      '1',
    )}
    union all ${groupedBy(
      `sluice.finding_total_changes cross join lateral unnest(check_keys, facet_keys, codes, counts)
         as change (check_key, facet_key, code, count)`,
      '-count',
    )}
    union all select tenant_id, grouping, provider_id, case grouping when 2 then key else check_key end,
        case grouping when 2 then 0 else key end, code, -count
      from sluice.finding_totals cross join lateral unnest(keys, codes, counts) as total (key, code, count)
  ) as counted
  group by ${GROUP} having sum(count) <> 0`;

/** Number of elements of `change_counts` for each change; those of resolved findings are the last. */
const PER_CHANGE = 16;
const RESOLVED_FROM = 5 * PER_CHANGE + 1;

const sumOf = (counts: string) => `(select sum(count) from unnest(${counts}) as count)`;

/** The changes by records, in the order of their counts in `change_counts`. */
const CHANGES = ['unchanged', 'new', 'reopened', 'regressed', 'fixed'];

/**
 * SQL query for the scans whose counts by change are negative, or differ from the changes of their findings: those of the
 * events, and those of findings without an event, which are new or unchanged. Retention may have deleted events of
 * resolved findings. Through an index, PostgreSQL might compare each finding with all events of its upload.
 */
const CHANGE_DIFFERENCES = `
  with reported as (
    select s.tenant_id, s.ingestion_id, s.scan_ids[u.number] as scan_id, u.finding_id, bool_or(u.state is not null) as is_unchanged
    from sluice.scan_findings s
    cross join lateral unnest(s.finding_ids, s.scan_numbers, s.unchanged_states) as u (finding_id, number, state)
    where u.number > 0 group by 1, 2, 3, 4),
  changed as (
    select r.tenant_id, r.scan_id, coalesce(e.change, case when r.is_unchanged then 'unchanged' else 'new' end) as change
    from reported r left join (select * from sluice.finding_events where not is_resolution offset 0) as e
      on e.tenant_id = r.tenant_id and e.finding_id = r.finding_id and e.ingestion_id = r.ingestion_id),
  by_change as (
    select tenant_id, scan_id, ${CHANGES.map((name) => `count(*) filter (where change = '${name}')::int as "${name}"`).join(', ')}
    from changed group by 1, 2),
  resolved as (
    select tenant_id, scan_id, count(*) as count from sluice.finding_events where is_resolution group by 1, 2)
  select * from (
    select s.id, array_to_string(array(select distinct count from unnest(s.change_counts) as count where count < 0), ' ') as negative,
      array[${CHANGES.map((_, index) => `${sumOf(`s.change_counts[${index * PER_CHANGE + 1}:${(index + 1) * PER_CHANGE}]`)}::int`).join(', ')}] as counted,
      array[${CHANGES.map((name) => `coalesce(c."${name}", 0)`).join(', ')}] as findings,
      ${sumOf(`s.change_counts[${RESOLVED_FROM}:]`)}::int as counted_resolved, coalesce(e.count, 0)::int as resolved
    from sluice.scans s
    left join by_change c on c.tenant_id = s.tenant_id and c.scan_id = s.id
    left join resolved e on e.tenant_id = s.tenant_id and e.scan_id = s.id
    where s.change_counts is not null
  ) as counts
  where negative <> '' or counted <> findings or counted_resolved < resolved`;

/**
 * SQL query for the uploads whose counts by change, failing and severity differ from the sums of their scans. The scans of
 * deleted providers are removed, but the counts of their uploads are not, so uploads with removed scans are skipped. The
 * joins have one row per upload, so that they are fast even if PostgreSQL expects few rows and uses nested loops.
 */
const UPLOAD_DIFFERENCES = `
  with by_place as (
    select s.tenant_id, s.ingestion_id, c.place, sum(c.count)::int as count
    from sluice.scans s cross join lateral unnest(s.change_counts) with ordinality as c (count, place) group by 1, 2, 3),
  by_scans as (
    select tenant_id, ingestion_id, array_agg(count order by place) as counts from by_place group by 1, 2),
  with_removed as (
    select distinct f.tenant_id, f.ingestion_id
    from sluice.scan_findings f cross join lateral unnest(f.scan_ids) as u (id)
    left join sluice.scans s on s.tenant_id = f.tenant_id and s.id = u.id where s.id is null)
  select i.id, array_to_string(i.change_counts, ' ') as counts, array_to_string(s.counts, ' ') as of_scans
  from sluice.ingestions i
  left join by_scans s on s.tenant_id = i.tenant_id and s.ingestion_id = i.id
  left join with_removed r on r.tenant_id = i.tenant_id and r.ingestion_id = i.id
  where r.ingestion_id is null and i.change_counts <> coalesce(s.counts, array_fill(0, array[${6 * PER_CHANGE}]))`;

/**
 * Asserts that the finding totals and their pending changes equal the counts of open findings, for every tenant and
 * grouping, that each scan counts the changes of its findings, and each upload those of its scans.
 */
export async function assertTrueCounts({
  sql,
}: {
  readonly sql: (text: string) => Promise<unknown[]>;
}): Promise<void> {
  assert.deepEqual(await sql(countDifferences('sluice.findings')), []);
  assert.deepEqual(await sql(CHANGE_DIFFERENCES), []);
  assert.deepEqual(await sql(UPLOAD_DIFFERENCES), []);
}

const PREVIOUS_GROUP = 'tenant_id, provider_id, severity, status, muted, delta';

/** Asserts that the finding counts of the previous layout equal the actual counts, for every tenant and group. */
export async function assertTruePreviousCounts({
  sql,
}: {
  readonly sql: (text: string) => Promise<unknown[]>;
}): Promise<void> {
  const differences = await sql(
    `select ${PREVIOUS_GROUP}, service, sum(number)::int as difference from (
       select ${PREVIOUS_GROUP}, coalesce(service, '') as service, 1 as number from sluice.findings
       union all select ${PREVIOUS_GROUP}, service, -number from sluice.finding_counts
     ) as counted
     group by ${PREVIOUS_GROUP}, service having sum(number) <> 0`,
  );
  assert.deepEqual(differences, []);
}
