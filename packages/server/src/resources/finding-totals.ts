import type { Condition } from '../jsonapi/filters.ts';
import { OPEN } from './finding-state.ts';

/** SQL for whether a finding is failing. */
export const FAILING = `status = 'FAIL' and not muted`;

/** A dimension by which findings are counted, in addition to severity, status, muting and delta. */
export type FindingDimension = 'provider' | 'check' | 'facet';

/** Marks conditions on the delta. All groupings of the totals have it. */
export const DELTA = 'delta';

/**
 * Whether the index on open failing findings (`findings_failing`) has the columns of these conditions: those of the
 * totals, except the delta, which changes with every scan.
 */
export function isOnFailingIndex(conditions: readonly Condition[]): boolean {
  return (
    conditions.includes(OPEN) &&
    conditions.every(
      ({ countsSql, dimensions }) => countsSql !== undefined && dimensions?.includes(DELTA) !== true,
    )
  );
}

interface Grouping {
  readonly number: number;
  /**
   * A row of `finding_totals` has one value of the first dimension, and an array with values of the second one, if any.
   */
  readonly dimensions: readonly FindingDimension[];
}

/**
 * The groupings of `finding_totals`. The first one that has all required dimensions is used; usually, the first one has
 * the fewest counts.
 */
const GROUPINGS: readonly Grouping[] = [
  { number: 4, dimensions: ['provider'] },
  { number: 2, dimensions: ['provider', 'check'] },
  { number: 1, dimensions: ['provider', 'facet'] },
  { number: 3, dimensions: ['check', 'facet'] },
];

/**
 * The column of each dimension, and its array in a row of changes. Each of these rows has the changes of one provider.
 */
const COLUMNS: Readonly<Record<FindingDimension, { readonly name: string; readonly array?: string }>> = {
  provider: { name: 'provider_id' },
  check: { name: 'check_key', array: 'check_keys' },
  facet: { name: 'facet_key', array: 'facet_keys' },
};

const textsOf = (type: string, [first, second, other]: readonly [string, string, string]) =>
  `when 0 then '${first}'::${type} when 1 then '${second}'::${type} else '${other}'::${type}`;

/** The reverse of `finding_count_code`. A cast of the whole expression would convert a text for each count. */
const DECODED = `(code / 18)::smallint as severity,
      case code / 6 % 3 ${textsOf('finding_status', ['PASS', 'FAIL', 'MANUAL'])} end as status,
      code / 3 % 2 = 1 as muted,
      case code % 3 ${textsOf('finding_delta', ['new', 'changed', 'unchanged'])} end as delta, count`;

/**
 * The `from` and `where` clauses for the counts of the open findings that match these conditions; `undefined` if counting
 * requires reading the findings. The rows are named `findings`. They have the columns of the dimensions (`provider_id`,
 * `check_key`, `facet_key`), `severity`, `status`, `muted`, `delta` and `count`. Several rows can have the same values,
 * and counts can be negative or zero: only their sums are numbers of findings.
 */
export function countedFindings(
  conditions: readonly Condition[],
  dimensions: readonly FindingDimension[],
  bind: (value: unknown) => string,
  tenant: string,
): string | undefined {
  if (conditions.some(({ countsSql }) => countsSql === undefined)) return undefined;
  const required = new Set<string>([
    ...dimensions,
    ...conditions.flatMap((condition) => condition.dimensions ?? []),
  ]);
  const grouping = GROUPINGS.find((one) => {
    const available: readonly string[] = [DELTA, ...one.dimensions];
    return [...required].every((dimension) => available.includes(dimension));
  });
  if (grouping === undefined) return undefined;
  const read = grouping.dimensions.filter((dimension) => required.has(dimension));
  const keys = read.map((dimension) => `${COLUMNS[dimension].name}, `).join('');
  const counts = codedCounts(grouping, read, tenant);
  const where = conditions.flatMap(({ countsSql }) => countsSql?.(bind, tenant) ?? []);
  // Fewer codes have to be decoded if the counts of the other dimension are added up first.
  const coded =
    read.length === grouping.dimensions.length
      ? counts
      : `select ${keys}code, sum(count)::integer as count from (${counts}) as counts group by ${keys}code`;
  return `(select ${keys}${DECODED} from (${coded}) as coded) as findings
    ${where.length === 0 ? '' : `where ${where.join(' and ')}`}`;
}

/**
 * SQL for the counts with their codes and the dimensions that are read. Arrays are expanded in the select list, because
 * PostgreSQL materializes the result of a function in the `from` clause.
 */
function codedCounts(
  { number, dimensions: [first] }: Grouping,
  read: readonly FindingDimension[],
  tenant: string,
): string {
  const columnsOf = (arrayOf: (dimension: FindingDimension) => string | undefined) =>
    read
      .map((dimension) => {
        const array = arrayOf(dimension);
        const { name } = COLUMNS[dimension];
        return `${array === undefined ? name : `unnest(${array}) as ${name}`}, `;
      })
      .join('');
  return `select ${columnsOf((dimension) => (dimension === first ? undefined : 'keys'))}unnest(codes) as code, unnest(counts) as count
      from finding_totals where tenant_id = ${tenant} and grouping = ${number}
    union all select ${columnsOf((dimension) => COLUMNS[dimension].array)}unnest(codes), unnest(counts)
      from finding_total_changes where tenant_id = ${tenant}`;
}
