import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import type { Section } from '../../jsonapi/page-statement.ts';
import { orderBy, type SortTerm } from '../../jsonapi/sort.ts';

/** The kept counts, with the columns of findings that they know, so that the same conditions can be put on both. */
const STORED_COUNTS = `(select tenant_id, provider_id, nullif(service, '') as service, severity, status, muted, delta, number
  from finding_counts) as findings`;

/** What stands behind `from` for the kept counts under these conditions; `undefined` where they do not know them all. */
export function storedCounts(
  conditions: readonly Condition[],
  bind: (value: unknown) => string,
  tenant: string,
): string | undefined {
  if (conditions.some(({ countsSql }) => countsSql === undefined)) return undefined;
  const known = conditions.flatMap(({ countsSql }) => countsSql?.(bind, tenant) ?? []);
  return `${STORED_COUNTS} where ${[`findings.tenant_id = ${tenant}`, ...known].join(' and ')}`;
}

/** Sort keys that the counts know. */
const KEPT_KEYS: ReadonlySet<string> = new Set(['findings.severity', 'findings.status']);

/**
 * How many findings there are under these conditions, by the values of the first sort keys as far as the counts know
 * these, in their order. The section of `after` is among them also where nothing is left in it. `undefined` where the
 * kept counts do not know the conditions.
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
  const other = terms.findIndex(({ sql }) => !KEPT_KEYS.has(sql));
  const keys = terms.slice(0, other).map((term, at) => ({ ...term, name: `key_${at}` }));
  const kept = keys.map(({ sql, name }) => `${sql} as ${name}, `).join('');
  const place = () => keys.map(({ type }, at) => `${bind(after[at])}::${type}, `).join('');
  const names = keys.map(({ name }) => name).join(', ');
  const values = `array[${keys.map(({ name }) => `${name}::text`).join(', ')}]::text[]`;
  const order = orderBy(keys.map((key) => ({ ...key, sql: key.name })));
  const { rows } = await client.query<Section>(
    `select ${values} as values, coalesce(sum(number), 0)::float8 as count from (
       select ${kept} findings.number from ${counted}
       ${after.length > 0 ? `union all select ${place()} 0` : ''}
     ) as numbers ${keys.length > 0 ? `group by ${names} order by ${order}` : ''}`,
    parameters,
  );
  return rows;
}
