import { opaqueCondition } from '../../db/opaque-condition.ts';
import type { PageRange, Section, Sections } from '../../db/paging/page-statement.ts';
import { withoutIndexScans } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import type { MatchingFindings } from './counted-levels.ts';
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
  if (!descending && !(await isBlockIndexCurrent(client)))
    return { sections: [betweenTimes(term, '-infinity', 'infinity', undefined)], skip: 0 };
  const rows =
    !descending && term.sql === FINDING_SORTS.last_seen_at.sql
      ? await oldestProviderTime({ client, tenantId }, range.after[0])
      : await scanTimes({ client, tenantId }, count, descending, range.after[0]);
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
  const sections: Section[] = [];
  let from = descending ? 'infinity' : '-infinity';
  for (const bound of bounds) {
    const providers = descending ? await latestProviders({ client, tenantId }, bound) : undefined;
    sections.push(betweenTimes(term, from, bound, providers));
    from = bound;
  }
  sections.push({
    values: [],
    isScanned: true,
    condition: (bind) => `${term.sql} ${descending ? '<' : '>'} ${bind(from)}::${term.type}`,
  });
  return { sections, skip: 0 };
}

/** A time, and the estimated number of findings between it and the preceding one. */
interface Bound {
  readonly bound: string;
  readonly count: number;
}

/** The times of the latest or earliest scans. `count` is the SQL for the number of a scan's findings in descending order. */
async function scanTimes(
  { client, tenantId }: Pick<MatchingFindings, 'client' | 'tenantId'>,
  count: string,
  descending: boolean,
  position: string | undefined,
): Promise<readonly Bound[]> {
  const [time, direction, number] = descending
    ? ['started_at', 'desc', count]
    : // The earliest scans may be removed, and the findings of the others are then no longer new in any scan.
      ['ended_at', 'asc', 'records'];
  const { rows } = await client.query<Bound>(
    `select ${time}::text as bound, (${number})::float8 as count from (
       select * from scans where tenant_id = $1 ${position === undefined ? '' : `and ${time} ${descending ? '<=' : '>='} $2::timestamptz`}
       order by inserted_at ${direction}, id ${direction} limit ${SCANS}) as latest
     order by ${time} ${direction}`,
    position === undefined ? [tenantId] : [tenantId, position],
  );
  return rows;
}

/**
 * The newest time of the provider whose latest scan is the oldest. Earlier scans may have no findings left. The count is large
 * enough to end all sections there.
 */
async function oldestProviderTime(
  { client, tenantId }: Pick<MatchingFindings, 'client' | 'tenantId'>,
  position: string | undefined,
): Promise<readonly Bound[]> {
  const { rows } = await client.query<Bound>(
    `select bound::text, ${Number.MAX_SAFE_INTEGER}::float8 as count from (
       select min(last_seen_at) as bound from providers where tenant_id = $1) as first
     where bound >= $2::timestamptz`,
    [tenantId, position ?? '-infinity'],
  );
  return rows;
}

/** The largest part of the findings that the BRIN index may lack. */
const LACKING_PART = 0.1;

/**
 * Whether the BRIN index leads to the findings of a section. It lacks findings that were inserted since the last vacuum;
 * reading all findings once is then faster than once per section.
 */
async function isBlockIndexCurrent(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ isCurrent: boolean }>(
    `select n_ins_since_vacuum <= n_live_tup * ${LACKING_PART} as "isCurrent" from pg_stat_all_tables
     where relid = 'findings'::regclass`,
  );
  return rows[0]?.isCurrent ?? true;
}

/**
 * The findings between two times. PostgreSQL expects few rows between two bounds, and then uses the BRIN index even without
 * statistics. If `providers` is given, all of them are of these providers, and the index on checks and providers leads to
 * them: until the table is vacuumed, the BRIN index lacks new findings.
 */
function betweenTimes(
  { sql, type, descending }: SortTerm,
  from: string,
  until: string,
  providers: readonly string[] | undefined,
): Section {
  const [beyond, upTo] = descending ? ['<', '>='] : ['>', '<='];
  return {
    values: [],
    isScanned: providers === undefined,
    condition: (bind) => {
      const times = `${sql} ${beyond} ${bind(from)}::${type} and ${sql} ${upTo} ${bind(until)}::${type}`;
      return providers === undefined
        ? times
        : `${ofProviders(bind(providers))} and ${opaqueCondition(times)}`;
    },
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
  const text = `select minute::text as minute, count::float8, start::float8, total::float8, providers,
       (select count(*) from providers where tenant_id = ${tenant})::float8 as all_providers from (
       select minute, count, providers, sum(count) over () as total,
         sum(count) over (order by minute ${term.descending ? 'desc' : ''}) - count as start
       from (select minute, sum(count) as count, array_agg(provider_id)::text[] as providers
         from (select date_bin('1 minute', ${term.sql}, timestamptz 'epoch') as minute, findings.provider_id, count(*) as count
           from findings where ${where.join(' and ')} group by 1, 2) as counted group by minute) as minutes
     ) as placed
     where start = 0 or (start < ${bind(skip + take)} and start + count > ${bind(skip)}) order by start`;
  const { rows } = await withoutIndexScans(client, () => client.query<MinuteRow>(text, parameters));
  const inRange = rows.filter(({ count, start }) => start < skip + take && start + count > skip);
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
    skip: Math.max(0, skip - (inRange[0]?.start ?? 0)),
    count: rows[0]?.total ?? 0,
  };
}

/** The findings of a minute. */
interface MinuteRow {
  readonly minute: string;
  readonly count: number;
  /** Number of findings in preceding minutes. */
  readonly start: number;
  readonly total: number;
  readonly providers: readonly string[];
  readonly all_providers: number;
}
