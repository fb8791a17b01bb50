import type { Queryable } from '../../db/transaction.ts';
import { scanId } from '../../ingest/merge/scans.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { FINDING_SORTS, FINDING_TIES } from './finding-sorts.ts';
import type { CountRow, SetColumns } from './summary-counts.ts';

/** The columns of findings that have no keys yet (`resources/previous-layout.ts`). */
export const PREVIOUS_COLUMNS = (text: (sql: string) => string) => `findings.scan_uid, findings.check_id,
  ${text('findings.uid')} as uid, null::uuid as resource_id, ${text('findings.resource_uid')} as resource_uid,
  ${text('findings.resource_name')} as resource_name, findings.resource_type, findings.region, findings.service,
  null::text as product`;

const name = 'coalesce(findings.resource_name, findings.resource_uid)';

/** The terms by which findings without keys are sorted. */
export function previousTerms(sort: readonly SortTerm[]): readonly SortTerm[] {
  return sort.flatMap((term) => {
    if (term.sql === FINDING_SORTS.check_id.sql) return [{ ...term, sql: 'findings.check_id' }];
    if (term.sql === FINDING_TIES.check.sql) return [{ ...term, sql: 'findings.check_id', type: 'text' }];
    if (term.sql !== FINDING_SORTS.resource.sql) return [term];
    return [
      { sql: `(${name} is null)`, type: 'boolean', descending: false },
      { ...term, sql: `coalesce(left(${name}, 200), '') collate "C"` },
    ];
  });
}

/** Adds the scan id, which the previous release derived when it read a finding. */
export function withScanId<Row extends { readonly ingestion_id: string; readonly provider_id: string }>(
  row: Row & { readonly scan_uid?: string | null },
): Row & { readonly scan_id: string } {
  return { ...row, scan_id: scanId(row.ingestion_id, row.provider_id, row.scan_uid ?? null) };
}

/** The sets by which findings without keys are counted. The key of a check is its `checkName`. */
export async function previousSets(
  client: Queryable,
  tenantId: string,
  bind: (value: unknown) => string,
): Promise<SetColumns> {
  const { rows } = await client.query<{ type: string; ids: readonly string[] }>(
    'select type, array_agg(id) as ids from providers where tenant_id = $1 group by type',
    [tenantId],
  );
  // Not a join, because PostgreSQL may choose a slow one.
  const types = rows.map(
    ({ type, ids }) => `when findings.provider_id = any(${bind(ids)}::uuid[]) then ${bind(type)}::text`,
  );
  const type = types.length === 0 ? 'null::text' : `case ${types.join(' ')} end`;
  return [
    ['provider', 'findings.provider_id'],
    ['service', 'findings.service'],
    ['region', 'findings.region'],
    ['resource_type', 'findings.resource_type'],
    ['check', checkName(type, 'findings.check_id')],
  ];
}

const checkName = (type: string, checkId: string) => `(${type} || E'\\n' || ${checkId})`;

/** Replaces the names of checks by their keys. */
export async function withCheckKeys(
  client: Queryable,
  tenantId: string,
  counted: readonly CountRow[],
): Promise<readonly CountRow[]> {
  const { rows } = await client.query<{ key: string; name: string }>(
    `select key::text as key, ${checkName('provider_type', 'check_id')} as name from checks where tenant_id = $1`,
    [tenantId],
  );
  const keys = new Map(rows.map(({ key, name }) => [name, key]));
  return counted.map((row) => (row.set === 'check' ? { ...row, key: keys.get(row.key ?? '') ?? null } : row));
}
