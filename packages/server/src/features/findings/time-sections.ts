import type { PageRange, Section, Sections } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import type { MatchingFindings } from './counted-sections.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

/** The number of a scan's findings that have their time in the scan, until a later scan changes it. */
const SCAN_COUNTS: ReadonlyMap<string, string> = new Map([
  [FINDING_SORTS.last_seen_at.sql, 'records'],
  [FINDING_SORTS.first_seen_at.sql, 'new_findings'],
  [FINDING_SORTS.status_changed_at.sql, 'new_findings + changed_findings'],
]);

/** Whether the findings are sorted by a time. */
export function isSortedByTime([first]: readonly SortTerm[]): boolean {
  return first !== undefined && SCAN_COUNTS.has(first.sql);
}

/** Number of scans from which the bounds are estimated. */
const SCANS = 200;
/** The estimated size of the sections, in pages. Many of a scan's findings may have been changed by later scans. */
const SECTION_PAGES = [2, 40];

/**
 * Divides findings that are sorted by a time into sections so that the first ones are probably small, but contain the page.
 * The BRIN index leads to the findings of a section. No index has the order of these times, because almost every finding
 * has a new time after each scan.
 */
export async function timeSections(
  { client, tenantId }: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange & { readonly after: readonly string[] },
): Promise<Sections> {
  const [term] = terms;
  const count = term === undefined ? undefined : SCAN_COUNTS.get(term.sql);
  if (term === undefined || count === undefined) return { sections: [{ values: [] }], skip: 0 };
  const { descending } = term;
  const [time, direction, number] = descending
    ? ['started_at', 'desc', count]
    : // The earliest scans may be removed, and the findings of the others are then no longer new in any scan.
      ['ended_at', 'asc', 'records'];
  const [position] = range.after;
  const { rows } = await client.query<{ bound: string; count: number }>(
    `select ${time}::text as bound, (${number})::float8 as count from (
       select * from scans where tenant_id = $1 ${position === undefined ? '' : `and ${time} ${descending ? '<=' : '>='} $2::timestamptz`}
       order by inserted_at ${direction}, id ${direction} limit ${SCANS}) as latest
     order by ${time} ${direction}`,
    position === undefined ? [tenantId] : [tenantId, position],
  );
  const bounds = new Set<string>();
  let sum = 0;
  const sizes = SECTION_PAGES.map((pages) => pages * range.take);
  for (const row of rows) {
    sum += row.count;
    while (sum >= (sizes[0] ?? Number.POSITIVE_INFINITY)) {
      sizes.shift();
      bounds.add(row.bound);
    }
  }
  return { sections: between([...bounds], term), skip: 0 };
}

/**
 * The sections that these bounds separate. All but the last have a lower and an upper bound, because PostgreSQL expects few rows between
 * two bounds, and then uses the BRIN index even without statistics.
 */
function between(bounds: readonly string[], { sql, type, descending }: SortTerm): readonly Section[] {
  const start = descending ? 'infinity' : '-infinity';
  const [until, beyond] = descending ? ['>=', '<'] : ['<=', '>'];
  return [...bounds, undefined].map((bound, at) => ({
    values: [],
    condition: (bind) =>
      bound === undefined
        ? `${sql} ${beyond} ${bind(bounds[at - 1] ?? start)}::${type}`
        : `${sql} ${beyond} ${bind(bounds[at - 1] ?? start)}::${type} and ${sql} ${until} ${bind(bound)}::${type}`,
  }));
}

/**
 * The sections with the findings of a page in the middle of the list, by minutes. Reads all matching findings, but sorts
 * only those of the sections.
 */
export async function minuteSections(
  { client, tenantId, conditions }: MatchingFindings,
  terms: readonly SortTerm[],
  { skip, take }: PageRange & { readonly skip: number },
): Promise<Sections | undefined> {
  const [term] = terms;
  if (term === undefined) return undefined;
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const tenant = bind(tenantId);
  const where = [`findings.tenant_id = ${tenant}`, ...conditions.map(({ sql }) => sql(bind, tenant))];
  const { rows } = await client.query<{ minute: string; count: number; start: number; total: number }>(
    `select minute::text as minute, count::float8, start::float8, total::float8 from (
       select minute, count, sum(count) over () as total,
         sum(count) over (order by minute ${term.descending ? 'desc' : ''}) - count as start
       from (select date_bin('1 minute', ${term.sql}, timestamptz 'epoch') as minute, count(*) as count
         from findings where ${where.join(' and ')} group by 1) as minutes
     ) as placed
     where start = 0 or (start < ${bind(skip + take)} and start + count > ${bind(skip)}) order by start`,
    parameters,
  );
  const inRange = rows.filter(({ count, start }) => start < skip + take && start + count > skip);
  return {
    sections: inRange.map(({ minute, count }) => ({
      values: [],
      count,
      condition: (bind) => {
        const from = `${bind(minute)}::timestamptz`;
        return `${term.sql} >= ${from} and ${term.sql} < ${from} + interval '1 minute'`;
      },
    })),
    skip: Math.max(0, skip - (inRange[0]?.start ?? 0)),
    count: rows[0]?.total ?? 0,
  };
}
