import type { PageRange } from '../../db/paging/page-statement.ts';
import { afterPosition } from '../../db/paging/position.ts';
import { withoutIndexScans } from '../../db/planner-settings.ts';
import { orderBy, type SortTerm } from '../../jsonapi/sort.ts';
import { countedFindings, type FindingDimension } from '../../resources/finding-totals.ts';
import { FINDING_SORTS, FINDING_TIES } from './finding-sorts.ts';
import { type MatchingFindings, matchingStatement } from './matching-findings.ts';

/** The number of matching findings; `undefined` if the totals do not support the conditions. */
export async function countFromTotals(findings: MatchingFindings): Promise<number | undefined> {
  const { client, conditions } = findings;
  const { parameters, bind, tenant } = matchingStatement(findings);
  const counted = countedFindings(conditions, [], bind, tenant);
  if (counted === undefined) return undefined;
  const text = `select coalesce(sum(findings.count), 0)::float8 as count from ${counted}`;
  const { rows } = await withoutIndexScans(client, () => client.query<{ count: number }>(text, parameters));
  return rows[0]?.count ?? 0;
}

/** How the findings are counted by a sort key. */
interface CountedKey {
  readonly column: string;
  readonly type: string;
  /** Absent if all groupings of the totals have the column. */
  readonly dimension?: FindingDimension;
  /** The value of the sort key for a value of the column; absent if they are the same. */
  readonly lookup?: (key: string, tenant: string) => string;
}

const CHECK: CountedKey = { column: 'check_key', type: 'bigint', dimension: 'check' };
const PROVIDER: CountedKey = { column: 'provider_id', type: 'uuid', dimension: 'provider' };

const COUNTED_KEYS: ReadonlyMap<string, CountedKey> = new Map<string, CountedKey>([
  [FINDING_SORTS.severity.sql, { column: 'severity', type: 'smallint' }],
  [FINDING_SORTS.status.sql, { column: 'status', type: 'finding_status' }],
  [FINDING_TIES.check.sql, CHECK],
  [FINDING_TIES.provider.sql, PROVIDER],
  [
    FINDING_SORTS.check_id.sql,
    {
      ...CHECK,
      lookup: (key, tenant) =>
        `(select checks.check_id from checks where checks.tenant_id = ${tenant} and checks.key = ${key})`,
    },
  ],
  [
    FINDING_SORTS.account.sql,
    {
      ...PROVIDER,
      lookup: (key, tenant) =>
        `(select providers.account from providers where providers.tenant_id = ${tenant} and providers.id = ${key})`,
    },
  ],
]);

type CountedTerm = SortTerm & { readonly counted: CountedKey };

/** Sort terms by which findings are counted at the same time. At most one of them, the last, has a dimension. */
export type Level = readonly CountedTerm[];

/** The leading sort terms by which findings can be counted. */
export function levelsOf(terms: readonly SortTerm[]): readonly Level[] {
  const levels: CountedTerm[][] = [];
  for (const term of terms) {
    const counted = COUNTED_KEYS.get(term.sql);
    if (counted === undefined) break;
    const last = levels.at(-1);
    if (last !== undefined && dimensionOf(last) === undefined) last.push({ ...term, counted });
    else levels.push([{ ...term, counted }]);
  }
  return levels;
}

/** The dimension of the totals that the level requires. */
export function dimensionOf(level: Level): FindingDimension | undefined {
  return level.at(-1)?.counted.dimension;
}

/** The findings with the same values of a level's sort keys. */
export interface LevelRow {
  readonly values: readonly string[];
  /** The values of the column that is looked up; null if the level has none. */
  readonly keys: readonly string[] | null;
  readonly count: number;
  /** Number of findings in preceding rows, starting from the page's first row if the page is after a position. */
  readonly start: number;
  readonly total: number;
  readonly holds_position: boolean;
}

/**
 * Counts the findings by the keys of one level and returns the rows with findings in the range, in sort order. Returns
 * `undefined` if the totals do not support the conditions, unless `isRead`: the matching findings are then read.
 */
export async function countLevel(
  findings: MatchingFindings,
  level: Level,
  range: PageRange,
  isRead = false,
): Promise<readonly LevelRow[] | undefined> {
  const { client, conditions } = findings;
  const { parameters, bind, tenant, where } = matchingStatement(findings);
  const dimension = dimensionOf(level);
  const counted = countedFindings(conditions, dimension === undefined ? [] : [dimension], bind, tenant);
  if (counted === undefined && !isRead) return undefined;
  const source = counted ?? `findings where ${where()}`;
  const number = counted === undefined ? 'count(*)' : 'sum(findings.count)';
  const named = namedGroups(level, source, number, tenant);
  const names = level.map((_, at) => `key_${at}`);
  const terms = level.map((term, at) => ({ ...term, sql: `key_${at}` }));
  const position = 'after' in range ? range.after.slice(0, level.length) : [];
  const bound = position.map((value, at) => `key_${at} = ${bind(value)}::${terms[at]?.type}`);
  const isPosition = bound.length === 0 ? 'false' : bound.join(' and ');
  const from = bound.length === 0 ? '' : `where (${isPosition}) or ${afterPosition(terms, position, bind)}`;
  const order = terms.length === 0 ? '' : `order by ${orderBy(terms)}`;
  const end =
    'skip' in range
      ? `${bind(range.skip + range.take)}::float8`
      : `${bind(range.take)}::float8 + coalesce(sum(count) filter (where holds_position) over (), 0)`;
  const start = 'skip' in range ? `${bind(range.skip)}::float8` : undefined;
  const text = `select array[${names.map((name) => `${name}::text`).join(', ')}]::text[] as values, keys, count::float8,
       start::float8, total::float8, holds_position
     from (
       select *, ${end} as range_end from (
         select *, ${isPosition} as holds_position, sum(count) over (${order}) - count as start, sum(count) over () as total
         from (${named}) as named ${from}
       ) as placed
     ) as ranged
     where start = 0 or (start < range_end ${start === undefined ? '' : `and start + count > ${start}`}) ${order}`;
  return await withoutIndexScans(client, async () => (await client.query<LevelRow>(text, parameters)).rows);
}

/** SQL for the counts by the level's sort keys (`key_0`, ...). Values are looked up once per group. */
function namedGroups(level: Level, source: string, number: string, tenant: string): string {
  const columns = level.map(({ counted: { column } }, at) => `findings.${column} as column_${at}, `);
  const groups = `select ${columns.join('')}coalesce(${number}, 0) as count from ${source}
    ${level.length > 0 ? `group by ${level.map(({ counted: { column } }) => `findings.${column}`).join(', ')}` : ''}
    having ${number} > 0`;
  const keys = level.map(
    ({ counted: { lookup } }, at) => `${lookup?.(`column_${at}`, tenant) ?? `column_${at}`} as key_${at}, `,
  );
  const looked = level.findIndex(({ counted }) => counted.lookup !== undefined);
  if (looked < 0) return `select ${keys.join('')}null::text[] as keys, count from (${groups}) as groups`;
  const names = level.map((_, at) => `key_${at}`).join(', ');
  return `select ${names}, array_agg(key::text) as keys, sum(count) as count from (
      select ${keys.join('')}column_${looked} as key, count from (${groups} offset 0) as groups offset 0
    ) as looked_up group by ${names}`;
}
