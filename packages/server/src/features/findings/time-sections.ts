import { opaqueCondition } from '../../db/opaque-condition.ts';
import type { PageRange, Section, Sections } from '../../db/paging/page-statement.ts';
import { withoutIndexScans } from '../../db/planner-settings.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { type MatchingFindings, matchingStatement } from './matching-findings.ts';
import { newestTies } from './newest-ties.ts';
import { isPlacedInRange, type PlacedCount, placedInRange } from './placed-counts.ts';
import { type Bound, between } from './time-ranges.ts';

/** Whether the findings are sorted by the time of their newest record. */
export function isSortedByLastSeen([first]: readonly SortTerm[]): boolean {
  return first?.sql === FINDING_SORTS.last_seen_at.sql;
}

/** Number of scans from which the bounds are estimated. */
const SCANS = 200;
/** The estimated size of the sections, in pages. Many of a scan's findings may have been changed by later scans. */
const SECTION_PAGES = [2, 40];

/**
 * Divides findings that are sorted by `last_seen_at` into sections so that the first ones are probably small, but
 * contain the page. No index has the order of this time, because almost every finding has a new time after each scan.
 * The index on checks and accounts leads to the newest findings if they are those of few accounts; `newestTies` may
 * help otherwise. All other findings are read at once.
 */
export async function lastSeenSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange & { readonly after: readonly string[] },
): Promise<Sections> {
  const [term] = terms;
  if (term?.descending !== true) return { sections: [{ values: [], isScanned: true }], skip: 0 };
  const [position] = range.after;
  const sections: Section[] = [];
  let from: Bound | undefined;
  for (const time of await latestScanTimes(findings, position, range.take)) {
    const providers = await latestProviders(findings, time);
    if (providers === undefined) break;
    sections.push(ofProvidersIn(providers, between(term, from, { time, isIncluded: true })));
    from = { time, isIncluded: false };
  }
  const ties = from === undefined ? await newestTies(findings, terms, position) : undefined;
  if (ties !== undefined) {
    sections.push(ties.section);
    from = { time: ties.time, isIncluded: false };
  }
  sections.push({ ...between(term, from, undefined), isScanned: true });
  return { sections, skip: 0 };
}

/** The start times of the latest scans that probably have enough findings for the sections. */
async function latestScanTimes(
  { client, tenantId }: Pick<MatchingFindings, 'client' | 'tenantId'>,
  position: string | undefined,
  take: number,
): Promise<Iterable<string>> {
  const { rows } = await client.query<{ time: string; count: number }>(
    `select started_at::text as time, records::float8 as count from (
       select * from scans where tenant_id = $1 and started_at <= $2::timestamptz
       order by inserted_at desc, id desc limit ${SCANS}) as latest
     order by started_at desc`,
    [tenantId, position ?? 'infinity'],
  );
  const times = new Set<string>();
  const sizes = SECTION_PAGES.map((pages) => pages * take);
  let sum = 0;
  for (const { time, count } of rows) {
    sum += count;
    while (sum >= (sizes[0] ?? Number.POSITIVE_INFINITY)) {
      sizes.shift();
      times.add(time);
    }
  }
  return times;
}

/** The section has only findings of these providers. */
function ofProvidersIn(
  providers: readonly string[],
  section: Section & Required<Pick<Section, 'condition'>>,
): Section {
  return {
    ...section,
    condition: (bind) => `${ofProviders(bind(providers))} and ${opaqueCondition(section.condition(bind))}`,
  };
}

function ofProviders(ids: string): string {
  return `findings.provider_id = any(${ids}::uuid[])`;
}

/** Reading the findings of a larger part of the providers one by one is slower than reading all findings. */
const PROVIDERS_PART = 0.25;

/** The providers that can have findings with a time from this one on; `undefined` if that is a large part of them. */
async function latestProviders(
  { client, tenantId }: Pick<MatchingFindings, 'client' | 'tenantId'>,
  time: string,
): Promise<readonly string[] | undefined> {
  const { rows } = await client.query<{ ids: readonly string[]; all: number }>(
    `select coalesce(array_agg(id) filter (where last_seen_at >= $2::timestamptz or last_seen_at is null), '{}')::text[] as ids,
       count(*)::float8 as all
     from providers where tenant_id = $1`,
    [tenantId, time],
  );
  const [row] = rows;
  return row !== undefined && row.ids.length <= row.all * PROVIDERS_PART ? row.ids : undefined;
}

/**
 * The sections with the findings of a page in the middle of the list, by minutes. Reads all matching findings, but
 * sorts only those of the sections.
 */
export async function minuteSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange & { readonly skip: number },
): Promise<Sections | undefined> {
  const [term] = terms;
  if (term === undefined) return undefined;
  const { parameters, bind, tenant, where } = matchingStatement(findings);
  const text = `select minute::text as minute, count::float8, start::float8, total::float8, providers,
       (select count(*) from providers where tenant_id = ${tenant})::float8 as all_providers from (
       select minute, count, providers, sum(count) over () as total,
         sum(count) over (order by minute ${term.descending ? 'desc' : ''}) - count as start
       from (select minute, sum(count) as count, array_agg(provider_id)::text[] as providers
         from (select date_bin('1 minute', ${term.sql}, timestamptz 'epoch') as minute, findings.provider_id, count(*) as count
           from findings where ${where()} group by 1, 2) as counted group by minute) as minutes
     ) as placed
     where ${isPlacedInRange(range, bind)} order by start`;
  const { rows } = await withoutIndexScans(findings.client, () =>
    findings.client.query<MinuteRow>(text, parameters),
  );
  const { inRange, ...position } = placedInRange(rows, range);
  return {
    sections: inRange.map(({ minute, count, providers, all_providers }) => {
      const isScanned = providers.length > all_providers * PROVIDERS_PART;
      return {
        values: [],
        count,
        isScanned,
        condition: (bind) => {
          const from = `${bind(minute)}::timestamptz`;
          const times = `${term.sql} >= ${from} and ${term.sql} < ${from} + interval '1 minute'`;
          return isScanned ? times : `${ofProviders(bind(providers))} and ${opaqueCondition(times)}`;
        },
      };
    }),
    ...position,
  };
}

/** The findings of a minute. */
interface MinuteRow extends PlacedCount {
  readonly minute: string;
  readonly providers: readonly string[];
  readonly all_providers: number;
}
