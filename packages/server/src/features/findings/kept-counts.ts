import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import type { Section } from '../../jsonapi/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';

/** The kept counts, with the columns of findings that they know, so that the same conditions can be put on both. */
const KEPT_COUNTS = `(select tenant_id, provider_id, nullif(service, '') as service, severity, status, muted, delta, number
  from finding_counts) as findings`;

/** What stands behind `from` for the kept counts under these conditions; `undefined` where they do not know them all. */
export function keptCounts(
  conditions: readonly Condition[],
  bind: (value: unknown) => string,
  tenant: string,
): string | undefined {
  if (conditions.some(({ ofCounts }) => ofCounts === undefined)) return undefined;
  const known = conditions.flatMap(({ ofCounts }) => ofCounts?.(bind, tenant) ?? []);
  return `${KEPT_COUNTS} where ${[`findings.tenant_id = ${tenant}`, ...known].join(' and ')}`;
}

/** Sort keys that the counts know: a page is found among the findings of one value of such a key. */
const KEPT_KEYS: ReadonlySet<string> = new Set(['findings.severity', 'findings.status']);

/**
 * How many findings there are under these conditions: by value of the first sort key, in its order, where counts are
 * kept by that key; else in one sum. `undefined` where the kept counts cannot say.
 */
export async function countSections(
  client: Queryable,
  tenantId: string,
  conditions: readonly Condition[],
  [first]: readonly SortTerm[],
): Promise<readonly Section[] | undefined> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const counted = keptCounts(conditions, bind, bind(tenantId));
  if (counted === undefined) return undefined;
  const key = first !== undefined && KEPT_KEYS.has(first.sql) ? first : undefined;
  const { rows } = await client.query<{ value: string; count: number | null }>(
    `select ${key === undefined ? `''` : `(${key.sql})::text`} as value, sum(findings.number)::float8 as count
     from ${counted}
     ${key === undefined ? '' : `group by ${key.sql} order by ${key.sql} ${key.descending ? 'desc' : 'asc'}`}`,
    values,
  );
  return rows.map(({ value, count }) => ({
    count: count ?? 0,
    ...(key !== undefined && {
      condition: { sql: (bound) => `${key.sql} = ${bound(value)}::${key.type}` },
    }),
  }));
}
