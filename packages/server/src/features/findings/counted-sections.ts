import { opaqueCondition } from '../../db/opaque-condition.ts';
import type { PageRange, Section, Sections } from '../../db/paging/page-statement.ts';
import { afterPosition } from '../../db/paging/position.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import { orderBy, type SortTerm } from '../../jsonapi/sort.ts';
import { countedFindings, type FindingDimension } from '../../resources/finding-totals.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

/** The findings of a tenant that match these conditions. */
export interface MatchingFindings {
  readonly client: Queryable;
  readonly tenantId: string;
  readonly conditions: readonly Condition[];
}

/** How the findings are grouped by a sort key. */
interface CountedKey {
  readonly column: string;
  readonly type: string;
  /** Absent if all groupings of the totals have the column. */
  readonly dimension?: FindingDimension;
  /** The value of the sort key for a value of the column; absent if they are the same. */
  readonly lookup?: (key: string, tenant: string) => string;
}

const COUNTED_KEYS: ReadonlyMap<string, CountedKey> = new Map<string, CountedKey>([
  [FINDING_SORTS.severity.sql, { column: 'severity', type: 'smallint' }],
  [FINDING_SORTS.status.sql, { column: 'status', type: 'finding_status' }],
  [
    FINDING_SORTS.check_id.sql,
    {
      column: 'check_key',
      type: 'bigint',
      dimension: 'check',
      lookup: (key, tenant) =>
        `(select checks.check_id from checks where checks.tenant_id = ${tenant} and checks.key = ${key})`,
    },
  ],
  [
    FINDING_SORTS.account.sql,
    {
      column: 'provider_id',
      type: 'uuid',
      dimension: 'provider',
      lookup: (key, tenant) =>
        `(select providers.account from providers where providers.tenant_id = ${tenant} and providers.id = ${key})`,
    },
  ],
]);

type CountedTerm = SortTerm & { readonly counted: CountedKey };

/** The leading sort terms by which findings can be counted. Values of each level are looked up in at most one table. */
function levelsOf(terms: readonly SortTerm[]): readonly (readonly CountedTerm[])[] {
  const levels: CountedTerm[][] = [];
  for (const term of terms) {
    const counted = COUNTED_KEYS.get(term.sql);
    if (counted === undefined) break;
    const last = levels.at(-1);
    const isPlain = counted.lookup === undefined;
    if (isPlain && last?.every((one) => one.counted.lookup === undefined) === true)
      last.push({ ...term, counted });
    else levels.push([{ ...term, counted }]);
  }
  return levels;
}

/** Sections with more findings than this are divided further by the next sort keys. */
const DIVIDED_ROWS = 2000;

/**
 * The sections with the findings of a page, counted by the leading sort keys. Uses the totals if they support the
 * conditions; otherwise, reads all matching findings if the first key is not a column of the findings. Returns
 * `undefined` if neither applies.
 */
export async function countedSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange,
): Promise<Sections | undefined> {
  const levels = levelsOf(terms);
  if (levels.length > 0) return await divide(findings, levels, range);
  return 'skip' in range ? await divide(findings, [[]], range) : undefined;
}

interface SectionRow {
  readonly values: readonly string[];
  readonly keys: readonly string[] | null;
  readonly count: number;
  /** Number of findings in preceding sections, starting from the page's first section if the page is after a position. */
  readonly start: number;
  readonly total: number;
  readonly holds_position: boolean;
}

async function divide(
  findings: MatchingFindings,
  [level, ...deeper]: readonly (readonly CountedTerm[])[],
  range: PageRange,
): Promise<Sections | undefined> {
  if (level === undefined) return undefined;
  const rows = await countLevel(findings, level, range);
  if (rows === undefined) return undefined;
  const inRange = rows.filter(({ count, start, holds_position }) =>
    'skip' in range
      ? start < range.skip + range.take && start + count > range.skip
      : holds_position || count > 0,
  );
  const sections: Section[] = [];
  let skip = 'skip' in range ? Math.max(0, range.skip - (inRange[0]?.start ?? 0)) : 0;
  for (const [at, row] of inRange.entries()) {
    const section = sectionOf(level, row);
    const within = rangeWithin(range, row, level.length);
    const divided =
      row.count > DIVIDED_ROWS && deeper.length > 0
        ? await divide(restricted(findings, level, section), deeper, within)
        : undefined;
    if (divided === undefined) {
      sections.push(section);
      continue;
    }
    if (at === 0) skip = divided.skip;
    for (const part of divided.sections) sections.push(joined(section, part));
  }
  return { sections, skip, count: rows[0]?.total ?? 0 };
}

/** The part of a page's range that is in this section. */
function rangeWithin(range: PageRange, { start, holds_position }: SectionRow, keys: number): PageRange {
  if ('skip' in range) {
    const skip = Math.max(0, range.skip - start);
    return { skip, take: range.take - Math.max(0, start - range.skip) };
  }
  return { after: holds_position ? range.after.slice(keys) : [], take: range.take };
}

function sectionOf(level: readonly CountedTerm[], { values, keys, count }: SectionRow): Section {
  const columns = level.map(({ counted }) => counted.column);
  const valueIn = (column: string) => values[columns.indexOf(column)];
  const isIndexed = hasSeverityIndex(valueIn('severity'), valueIn('status'));
  return {
    values,
    count,
    condition: (bind) => {
      const sql = level.map(({ counted: { column, type } }, at) =>
        keys === null
          ? `findings.${column} = ${bind(values[at])}::${type}`
          : `findings.${column} = any(${bind(keys)}::${type}[])`,
      );
      if (sql.length === 0) return 'true';
      return keys === null && !isIndexed ? opaqueCondition(sql.join(' and ')) : sql.join(' and ');
    },
  };
}

/** Whether these findings are in the partial index `findings_severity`. */
function hasSeverityIndex(severity: string | undefined, status: string | undefined): boolean {
  if (severity === undefined) return false;
  return (status !== undefined && status !== 'PASS') || !['2', '3', '4'].includes(severity);
}

function joined(section: Section, part: Section): Section {
  return {
    ...part,
    values: [...section.values, ...part.values],
    condition: (bind) => `${part.condition?.(bind) ?? 'true'} and ${section.condition?.(bind) ?? 'true'}`,
  };
}

function restricted(
  findings: MatchingFindings,
  level: readonly CountedTerm[],
  section: Section,
): MatchingFindings {
  const condition = section.condition;
  if (condition === undefined) return findings;
  const dimensions = level.flatMap(({ counted }) => counted.dimension ?? []);
  return {
    ...findings,
    conditions: [...findings.conditions, { sql: condition, countsSql: condition, dimensions }],
  };
}

/** Counts the findings by the keys of one level and returns the groups with findings in the range, in sort order. */
async function countLevel(
  { client, tenantId, conditions }: MatchingFindings,
  level: readonly CountedTerm[],
  range: PageRange,
): Promise<readonly SectionRow[] | undefined> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const tenant = bind(tenantId);
  const dimensions = level.flatMap(({ counted }) => counted.dimension ?? []);
  const counted = countedFindings(conditions, dimensions, bind, tenant);
  const isLookedUp = level.some(({ counted }) => counted.lookup !== undefined);
  if (counted === undefined && !isLookedUp) return undefined;
  const where = () => [`findings.tenant_id = ${tenant}`, ...conditions.map(({ sql }) => sql(bind, tenant))];
  const source = counted ?? `findings where ${where().join(' and ')}`;
  const number = counted === undefined ? 'count(*)' : 'sum(findings.count)';
  const names = level.map((_, at) => `key_${at}`);
  const keys = names.map((name) => `${name}, `).join('');
  const groups = `select ${level.map(({ counted: { column } }, at) => `findings.${column} as key_${at}, `).join('')}
      coalesce(${number}, 0) as count from ${source}
    ${level.length > 0 ? `group by ${names.join(', ')}` : ''} having ${number} > 0`;
  const named = isLookedUp
    ? `select key_0, array_agg(key::text) as keys, sum(count) as count from (
        select ${level.map(({ counted: { lookup } }) => lookup?.('key_0', tenant)).join()} as key_0, key_0 as key, count
        from (${groups} offset 0) as groups offset 0) as looked_up group by key_0`
    : `select ${keys} null::text[] as keys, count from (${groups}) as groups`;
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
  const { rows } = await client.query<SectionRow>(
    `select array[${names.map((name) => `${name}::text`).join(', ')}]::text[] as values, keys, count::float8,
       start::float8, total::float8, holds_position
     from (
       select *, ${end} as range_end from (
         select *, ${isPosition} as holds_position, sum(count) over (${order}) - count as start, sum(count) over () as total
         from (${named}) as named ${from}
       ) as placed
     ) as ranged
     where start = 0 or (start < range_end ${start === undefined ? '' : `and start + count > ${start}`}) ${order}`,
    parameters,
  );
  return rows;
}
