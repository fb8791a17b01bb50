import type { Section } from '../../db/paging/page-statement.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import { orderBy, type SortTerm } from '../../jsonapi/sort.ts';

/** The stored counts with the column names of `findings`, so that the same conditions apply to both. */
const STORED_COUNTS = `(select tenant_id, provider_id, nullif(service, '') as service, severity, status, muted, delta, number
  from finding_counts) as findings`;

/** Sort keys that the stored counts support. */
const COUNTED_SORT_KEYS: ReadonlySet<string> = new Set(['findings.severity', 'findings.status']);

/**
 * The `from` and `where` clauses for the stored counts that match these conditions; `undefined` if the stored counts
 * lack a column.
 */
export function storedCounts(
  conditions: readonly Condition[],
  bind: (value: unknown) => string,
  tenant: string,
): string | undefined {
  if (conditions.some(({ countsSql }) => countsSql === undefined)) return undefined;
  const supported = conditions.flatMap(({ countsSql }) => countsSql?.(bind, tenant) ?? []);
  return `${STORED_COUNTS} where ${[`findings.tenant_id = ${tenant}`, ...supported].join(' and ')}`;
}

/**
 * Counts the findings that match these conditions, grouped by the leading sort keys that the stored counts support, in
 * sort order. The section that contains `after` is included even if it is empty. Returns `undefined` if the stored
 * counts do not support a condition.
 */
export async function countSections(
  client: Queryable,
  tenantId: string,
  conditions: readonly Condition[],
  terms: readonly SortTerm[],
  after: readonly string[],
): Promise<readonly Section[] | undefined> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const counted = storedCounts(conditions, bind, bind(tenantId));
  if (counted === undefined) return undefined;
  const other = terms.findIndex(({ sql }) => !COUNTED_SORT_KEYS.has(sql));
  const keys = terms.slice(0, other).map((term, at) => ({ ...term, name: `key_${at}` }));
  const keyColumns = keys.map(({ sql, name }) => `${sql} as ${name}, `).join('');
  const position = () => keys.map(({ type }, at) => `${bind(after[at])}::${type}, `).join('');
  const names = keys.map(({ name }) => name).join(', ');
  const values = `array[${keys.map(({ name }) => `${name}::text`).join(', ')}]::text[]`;
  const order = orderBy(keys.map((key) => ({ ...key, sql: key.name })));
  const { rows } = await client.query<Section>(
    `select ${values} as values, coalesce(sum(number), 0)::float8 as count from (
       select ${keyColumns} findings.number from ${counted}
       ${after.length > 0 ? `union all select ${position()} 0` : ''}
     ) as numbers ${keys.length > 0 ? `group by ${names} order by ${order}` : ''}`,
    parameters,
  );
  return rows;
}
