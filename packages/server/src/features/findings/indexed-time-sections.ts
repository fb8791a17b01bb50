import type { Section, Sections } from '../../db/paging/page-statement.ts';
import { withForcedIndexScans } from '../../db/planner-settings.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import type { MatchingFindings } from './matching-findings.ts';
import { type Bound, between, comparison, tied } from './time-ranges.ts';

const INDEXED = new Set<string>([FINDING_SORTS.first_seen_at.sql, FINDING_SORTS.status_changed_at.sql]);

/** Whether the findings are sorted by a time that has an index. */
export function isSortedByIndexedTime([first]: readonly SortTerm[]): boolean {
  return first !== undefined && INDEXED.has(first.sql);
}

/**
 * The expected size of the sections, in pages. The second one is for filters that match few findings near the start.
 */
const SECTION_PAGES = [2, 40];
/** If more findings have the same time, they are read by id. */
const MAX_TIES = 10_000;
/** The fraction of the findings that filters are assumed to match if the totals do not count them. */
const ASSUMED_FRACTION = 0.1;
/** With fewer matching findings, another index leads to them faster. */
const MIN_MATCHES = 20_000;

/** The number of matching findings, and of all findings of the tenant. */
export interface MatchCount {
  readonly matching: number;
  readonly all: number;
}

/**
 * Divides findings that are sorted by an indexed time into sections so that the first one probably contains the page
 * after this position.
 */
export async function indexedTimeSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  { after, take }: { readonly after: readonly string[]; readonly take: number },
  counts: MatchCount | undefined,
): Promise<Sections> {
  const [term, ...others] = terms;
  if (term === undefined || (counts !== undefined && counts.matching < MIN_MATCHES))
    return { sections: [{ values: [], isSparse: true }], skip: 0 };
  const fraction = counts === undefined ? ASSUMED_FRACTION : counts.matching / counts.all;
  const sections: Section[] = [];
  let from: Bound | undefined = after[0] === undefined ? undefined : { time: after[0], isIncluded: true };
  let isLong = true;
  await withForcedIndexScans(findings.client, async () => {
    for (const pages of SECTION_PAGES) {
      const until = await timeAt(findings, term, from, Math.ceil((pages * take) / fraction));
      isLong = until !== undefined;
      if (until === undefined) break;
      const isLarge = until.ties > MAX_TIES;
      sections.push(between(term, from, { time: until.time, isIncluded: !isLarge }));
      if (isLarge) sections.push(tied([term, ...others], until.time));
      from = { time: until.time, isIncluded: false };
    }
  });
  sections.push({ ...between(term, from, undefined), isScanned: isLong });
  return { sections, skip: 0 };
}

/**
 * The section with the findings of a page in the middle of the list, if no conditions apply. It begins with the first
 * finding that has the same time as the first finding of the page.
 */
export async function countedTimeSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  { skip, take }: { readonly skip: number; readonly take: number },
  count: number,
): Promise<Sections | undefined> {
  const [term] = terms;
  if (term === undefined || skip >= count) return undefined;
  const { client, tenantId } = findings;
  return await withForcedIndexScans(client, async () => {
    const direction = term.descending ? 'desc' : 'asc';
    const { rows } = await client.query<{ time: string; count: number; read: number }>(
      `select time::text as time, count(*)::float8 as count, sum(count(*)) over ()::float8 as read from (
         select ${term.sql} as time from findings where tenant_id = $1 order by ${term.sql} ${direction} limit $2
       ) as preceding group by preceding.time order by preceding.time ${term.descending ? 'asc' : 'desc'} limit 1`,
      [tenantId, skip + 1],
    );
    const [first] = rows;
    if (first?.read !== skip + 1) return undefined;
    const before = skip + 1 - first.count;
    const from = { time: first.time, isIncluded: true };
    const last = await timeAt(findings, term, from, skip - before + take - 1);
    const until = last === undefined ? undefined : { time: last.time, isIncluded: true };
    return { sections: [between(term, from, until)], skip: skip - before, count };
  });
}

interface IndexedTime {
  readonly time: string;
  /** The number of findings with this time, at most `MAX_TIES + 1`. */
  readonly ties: number;
}

/** The time of the finding that this number of findings precede, from the bound on; `undefined` if there are fewer. */
async function timeAt(
  { client, tenantId }: MatchingFindings,
  { sql, descending }: SortTerm,
  from: Bound | undefined,
  skip: number,
): Promise<IndexedTime | undefined> {
  const { rows } = await client.query<IndexedTime>(
    `select time::text as time, (select count(*)::float8 from (
         select from findings where tenant_id = $1 and ${sql} = time limit ${MAX_TIES + 1}) as tied) as ties
     from (select ${sql} as time from findings
       where tenant_id = $1 ${from === undefined ? '' : `and ${sql} ${comparison(descending, from.isIncluded)} $3::timestamptz`}
       order by ${sql} ${descending ? 'desc' : ''} limit 1 offset $2) as found`,
    [tenantId, skip, ...(from === undefined ? [] : [from.time])],
  );
  return rows[0];
}
