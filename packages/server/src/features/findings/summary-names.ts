import type { Queryable } from '../../db/transaction.ts';
import type { CountRow } from './summary-counts.ts';

/** Maximum number of entries for each attribute of a summary. Limits the size of the response. */
export const SUMMARY_MAX_VALUES = 1000;

export interface Counts {
  readonly count: number;
  /** Number of findings with the status FAIL that are not muted. */
  readonly failed: number;
}

type Ranked<Value> = Counts & { readonly value: Value };

interface TopValues<Value> {
  readonly top: readonly Ranked<Value>[];
  /** Number of values with findings. */
  readonly values: number;
}

interface Provider {
  readonly id: string;
  readonly provider_type: string;
  readonly account: string;
}

type TextName = 'service' | 'region' | 'resource_type';

/** Converts groups of findings to counts by names. */
export interface SummaryNames {
  readonly providers: (rows: readonly CountRow[]) => readonly Ranked<Provider>[];
  readonly texts: (rows: readonly CountRow[], name: TextName) => TopValues<string | null>;
  readonly categories: (rows: readonly CountRow[]) => TopValues<string>;
}

/** The total counts of these rows. */
export function sumOf(rows: readonly Counts[]): Counts {
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    failed: rows.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/**
 * Looks up the names of the providers with the most failing findings, of all facets, and of all checks' categories. Each
 * statement reads its table at most once: a summary can have many thousands of facets, and with outdated statistics,
 * PostgreSQL would read all rows of a tenant for each of them.
 */
export async function readSummaryNames(
  client: Queryable,
  tenantId: string,
  rows: readonly CountRow[],
): Promise<SummaryNames> {
  const keysOf = (counted: readonly CountRow[]) => counted.flatMap(({ key }) => key ?? []);
  const ofSet = (set: CountRow['set']) => rows.filter((row) => row.set === set);
  const providers = ranked(
    ofSet('provider').map(({ key, count, failed }) => ({ value: key ?? '', count, failed })),
  );
  const ids = providers.slice(0, SUMMARY_MAX_VALUES).map(({ value }) => value);
  const { rows: known } = await client.query<Provider>(
    `select providers.id, providers.type as provider_type, providers.account
     from unnest($2::uuid[]) as requested (id) cross join lateral (
       select * from providers where providers.tenant_id = $1 and providers.id = requested.id offset 0) as providers`,
    [tenantId, ids],
  );
  const { rows: facets } = await client.query<{ key: string } & Record<TextName, string | null>>(
    `select key::text as key, service, region, resource_type from finding_facets
     where tenant_id = $1 and key = any($2::bigint[])`,
    [tenantId, keysOf(ofSet('facet'))],
  );
  const { rows: checks } = await client.query<{ key: string; categories: readonly string[] }>(
    'select key::text as key, categories from checks where tenant_id = $1 and key = any($2::bigint[])',
    [tenantId, keysOf(ofSet('check'))],
  );
  const providersById = new Map(known.map((provider) => [provider.id, provider]));
  const facetsByKey = new Map(facets.map((facet) => [facet.key, facet]));
  const categoriesByKey = new Map(checks.map(({ key, categories }) => [key, categories]));
  return {
    providers: () =>
      providers.flatMap(({ value, ...counts }) => {
        const provider = providersById.get(value);
        return provider === undefined ? [] : [{ value: provider, ...counts }];
      }),
    texts: (counted, name) =>
      topValues(
        counted.flatMap(({ set, key, count, failed }) => {
          if (set === name) return [{ value: key, count, failed }];
          if (set !== 'facet') return [];
          return [{ value: facetsByKey.get(key ?? '')?.[name] ?? null, count, failed }];
        }),
      ),
    categories: (counted) =>
      topValues(
        counted.flatMap(({ set, key, count, failed }) =>
          set === 'check'
            ? [...new Set(categoriesByKey.get(key ?? ''))].map((value) => ({ value, count, failed }))
            : [],
        ),
      ),
  };
}

/** Adds up the counts of each value. */
function topValues<Value extends string | null>(counted: readonly Ranked<Value>[]): TopValues<Value> {
  const groups = Map.groupBy(counted, ({ value }) => value);
  const sums = Array.from(groups, ([value, rows]) => ({ value, ...sumOf(rows) }));
  return { top: ranked(sums).slice(0, SUMMARY_MAX_VALUES), values: sums.length };
}

/** Sorted by number of failing findings, number of findings, and value. */
function ranked<Value extends string | null>(counts: readonly Ranked<Value>[]): readonly Ranked<Value>[] {
  return counts.toSorted(
    (a, b) =>
      b.failed - a.failed ||
      b.count - a.count ||
      // null comes last, as in PostgreSQL.
      (a.value === null ? 1 : b.value === null ? -1 : a.value < b.value ? -1 : 1),
  );
}
