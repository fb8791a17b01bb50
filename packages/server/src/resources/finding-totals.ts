import type { Condition } from '../jsonapi/filters.ts';

/** A dimension by which findings are counted, in addition to severity, status, muting and delta. */
export type FindingDimension = 'provider' | 'check' | 'facet';

interface Grouping {
  readonly number: number;
  readonly dimensions: readonly FindingDimension[];
  /** The columns of the dimensions in a row of `finding_totals`. `key` is an element of `keys`. */
  readonly columns: string;
}

/**
 * The groupings of `finding_totals`. The first one that has all required dimensions is used; usually, the first one has
 * the fewest counts.
 */
const GROUPINGS: readonly Grouping[] = [
  { number: 2, dimensions: ['provider', 'check'], columns: 'provider_id, key as check_key' },
  { number: 1, dimensions: ['provider', 'facet'], columns: 'provider_id, key as facet_key' },
  { number: 3, dimensions: ['check', 'facet'], columns: 'check_key, key as facet_key' },
];

const COLUMNS: Readonly<Record<FindingDimension, string>> = {
  provider: 'provider_id',
  check: 'check_key',
  facet: 'facet_key',
};

const textsOf = (type: string, [first, second, other]: readonly [string, string, string]) =>
  `when 0 then '${first}'::${type} when 1 then '${second}'::${type} else '${other}'::${type}`;

/** The reverse of `finding_count_code`. A cast of the whole expression would convert a text for each count. */
const DECODED = `(code / 18)::smallint as severity,
      case code / 6 % 3 ${textsOf('finding_status', ['PASS', 'FAIL', 'MANUAL'])} end as status,
      code / 3 % 2 = 1 as muted,
      case code % 3 ${textsOf('finding_delta', ['new', 'changed', 'unchanged'])} end as delta, count`;

/**
 * The `from` and `where` clauses for the counts of the findings that match these conditions; `undefined` if counting
 * requires reading the findings. The rows are named `findings`. They have the columns of the dimensions (`provider_id`,
 * `check_key`, `facet_key`), `severity`, `status`, `muted`, `delta` and `count`. Several rows can have the same values, and counts can be negative or zero: only
 * their sums are numbers of findings.
 */
export function countedFindings(
  conditions: readonly Condition[],
  dimensions: readonly FindingDimension[],
  bind: (value: unknown) => string,
  tenant: string,
): string | undefined {
  if (conditions.some(({ countsSql }) => countsSql === undefined)) return undefined;
  const required: readonly string[] = [
    ...dimensions,
    ...conditions.flatMap((condition) => condition.dimensions ?? []),
  ];
  const grouping = GROUPINGS.find((one) => {
    const available: readonly string[] = one.dimensions;
    return required.every((dimension) => available.includes(dimension));
  });
  if (grouping === undefined) return undefined;
  const keys = grouping.dimensions.map((dimension) => COLUMNS[dimension]).join(', ');
  const where = conditions.flatMap(({ countsSql }) => countsSql?.(bind, tenant) ?? []);
  return `(select ${grouping.columns}, ${DECODED} from finding_totals
        cross join lateral unnest(keys, codes, counts) as total (key, code, count)
        where tenant_id = ${tenant} and grouping = ${grouping.number}
      union all select ${keys}, ${DECODED} from finding_total_changes
        cross join lateral unnest(check_keys, facet_keys, codes, counts) as change (check_key, facet_key, code, count)
        where tenant_id = ${tenant}) as findings
    ${where.length === 0 ? '' : `where ${where.join(' and ')}`}`;
}

/**
 * A condition that a column has one of the keys that a query selects. Compares with a hash table: PostgreSQL would
 * compare each row with each element of an array, and might turn a plain `in` into a slow join.
 */
export function hasKeyIn(column: string, query: string): string {
  return `((${column} in (${query})) is true)`;
}
