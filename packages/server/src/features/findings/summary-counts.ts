import type { Severity } from '@sluice/ocsf';
import { withoutIndexScans } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import { exceptDeletedProviders } from '../../resources/deleted-providers.ts';
import { countedFindings, FAILING, type FindingDimension } from '../../resources/finding-totals.ts';
import { prepareConditions } from '../../resources/prepare-conditions.ts';
import { lacksKeys, onPreviousLayout } from '../../resources/previous-layout.ts';
import { matchingStatement } from './matching-findings.ts';
import { previousSets, withCheckKeys } from './previous-columns.ts';

/** The dimension of a count: `plain` is severity, status, muting and delta at the same time. */
type CountedSet = 'plain' | FindingDimension | 'service' | 'region' | 'resource_type';

/** The number of findings of one group of one set. Columns of the other sets are null. */
export interface CountRow {
  readonly set: CountedSet;
  readonly severity: Severity;
  readonly status: 'PASS' | 'FAIL' | 'MANUAL';
  readonly muted: boolean;
  readonly delta: 'new' | 'changed' | 'unchanged';
  /** Value of all other sets than `plain`. */
  readonly key: string | null;
  readonly count: number;
  /** Number of findings with the status FAIL that are not muted. */
  readonly failed: number;
}

/** The SQL expressions by which a set groups the findings. */
export type SetColumns = readonly (readonly [set: CountedSet, sql: string])[];

const PLAIN = ['severity', 'status', 'muted', 'delta'].map((name) => `findings.${name}`).join(', ');
const COLUMNS: Readonly<Record<FindingDimension, string>> = {
  provider: 'findings.provider_id',
  check: 'findings.check_key',
  facet: 'findings.facet_key',
};

const DIMENSIONS = ['provider', 'check', 'facet'] as const;

/**
 * Counts the matching findings by each set. Uses the totals if they support the conditions and the set; otherwise,
 * reads the findings once.
 */
export async function countSets(
  client: Queryable,
  tenantId: string,
  conditions: readonly Condition[],
): Promise<readonly CountRow[]> {
  const liveOnly = await exceptDeletedProviders(client, tenantId, 'findings');
  const isPrevious = await lacksKeys(client, tenantId);
  const all = [
    ...liveOnly,
    ...(isPrevious ? onPreviousLayout(conditions) : await prepareConditions(client, tenantId, conditions)),
  ];
  return await withoutIndexScans(client, () => countMatching(client, tenantId, all, isPrevious));
}

async function countMatching(
  client: Queryable,
  tenantId: string,
  all: readonly Condition[],
  isPrevious: boolean,
): Promise<readonly CountRow[]> {
  const rows = isPrevious ? undefined : await countFromTotals(client, tenantId, all);
  if (rows !== undefined) return rows;
  const { parameters, bind, where } = matchingStatement({ tenantId, conditions: all });
  const sets = isPrevious ? await previousSets(client, tenantId, bind) : DIMENSIONS.map(setOf);
  const source = `findings where ${where()}`;
  const counted = await queryCounts(client, statement(source, sets, true, '1'), parameters);
  return isPrevious ? await withCheckKeys(client, tenantId, counted) : counted;
}

/** Each set is counted with a separate statement, because no grouping of the totals has all dimensions. */
async function countFromTotals(
  client: Queryable,
  tenantId: string,
  conditions: readonly Condition[],
): Promise<readonly CountRow[] | undefined> {
  const statements: { readonly text: string; readonly parameters: unknown[] }[] = [];
  for (const [at, dimension] of DIMENSIONS.entries()) {
    const { parameters, bind, tenant } = matchingStatement({ tenantId, conditions });
    const source = countedFindings(conditions, [dimension], bind, tenant);
    if (source === undefined) return undefined;
    const text = statement(source, [setOf(dimension)], at === 0, 'findings.count');
    statements.push({ text, parameters });
  }
  const rows: CountRow[] = [];
  for (const { text, parameters } of statements) rows.push(...(await queryCounts(client, text, parameters)));
  return rows;
}

function setOf(dimension: FindingDimension): SetColumns[number] {
  return [dimension, COLUMNS[dimension]];
}

async function queryCounts(
  client: Queryable,
  text: string,
  parameters: unknown[],
): Promise<readonly CountRow[]> {
  return (await client.query<CountRow>(text, parameters)).rows;
}

/** The statement that counts the rows of a source by all sets at the same time. */
function statement(source: string, sets: SetColumns, withPlain: boolean, number: string): string {
  const keys = sets.map(([set, sql]) => `when grouping(${sql}) = 0 then '${set}'`).join(' ');
  const values = sets.map(([, sql]) => `when grouping(${sql}) = 0 then (${sql})::text`).join(' ');
  const groups = [...(withPlain ? [PLAIN] : []), ...sets.map(([, sql]) => sql)];
  return `select case ${keys} else 'plain' end as set, case ${values} end as key,
      ${withPlain ? PLAIN : 'null as severity, null as status, null as muted, null as delta'},
      sum(${number})::float8 as count,
      coalesce(sum(${number}) filter (where ${FAILING}), 0)::float8 as failed
    from ${source}
    group by grouping sets (${groups.map((group) => `(${group})`).join(', ')}) having sum(${number}) > 0`;
}
