import assert from 'node:assert/strict';

const GROUP_COLUMNS = 'tenant_id, provider_id, severity, status, muted, delta';

/** Asserts that the stored finding counts equal the actual counts, for every tenant and group. */
export async function assertTrueCounts({
  sql,
}: {
  readonly sql: (text: string) => Promise<unknown[]>;
}): Promise<void> {
  const differences = await sql(
    `with counted as (
       select ${GROUP_COLUMNS}, coalesce(service, '') as service, count(*) as number from sluice.findings group by ${GROUP_COLUMNS}, service
     ), kept as (
       select ${GROUP_COLUMNS}, service, number from sluice.finding_counts where number <> 0
     )
     (select 'counted' as which, * from (select * from counted except select * from kept) as only_counted)
     union all
     (select 'kept', * from (select * from kept except select * from counted) as only_kept)`,
  );
  assert.deepEqual(differences, []);
}
