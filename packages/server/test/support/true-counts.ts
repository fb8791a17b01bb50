import assert from 'node:assert/strict';

const NO_PROVIDER = '00000000-0000-0000-0000-000000000000';
const STATE = 'severity, status, muted, delta';
/** The columns of `finding_totals` in each grouping; the dimension that a grouping lacks is zero. */
const GROUPINGS = [
  { number: 1, columns: ['provider_id', '0', 'facet_key'] },
  { number: 2, columns: ['provider_id', 'check_key', '0'] },
  { number: 3, columns: [`'${NO_PROVIDER}'`, 'check_key', 'facet_key'] },
] as const;

const groupedBy = (source: string, count: string) =>
  GROUPINGS.map(
    ({ number, columns: [provider, check, facet] }) =>
      `select tenant_id, ${number}::smallint as grouping, ${provider}::uuid as provider_id, ${check}::bigint as check_key,
         ${facet}::bigint as facet_key, ${STATE}, ${count} as count from ${source}`,
  ).join(' union all ');

/** Asserts that the finding totals and their pending changes equal the actual counts, for every tenant and grouping. */
export async function assertTrueCounts({
  sql,
}: {
  readonly sql: (text: string) => Promise<unknown[]>;
}): Promise<void> {
  const differences = await sql(
    `select 'expected' as count_is, tenant_id, grouping, provider_id, check_key, facet_key, ${STATE}, sum(count)::int as difference from (
       ${groupedBy('sluice.findings', '1')}
       union all ${groupedBy('sluice.finding_total_changes', '-count')}
       union all select tenant_id, grouping, provider_id, check_key, facet_key, ${STATE}, -count from sluice.finding_totals
     ) as counted
     group by tenant_id, grouping, provider_id, check_key, facet_key, ${STATE} having sum(count) <> 0`,
  );
  assert.deepEqual(differences, []);
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
