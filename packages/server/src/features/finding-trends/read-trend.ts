import { withoutIndexScans } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import { exceptDeletedProviders } from '../../resources/deleted-providers.ts';
import { prepareConditions } from '../../resources/prepare-conditions.ts';
import { lacksKeys } from '../../resources/previous-layout.ts';
import type { FindingTrend } from './resource.ts';
import {
  countFailing,
  countLiveProviders,
  type FailingCount,
  readFailingChanges,
  readProviderChanges,
  readRemovals,
  readTrendClock,
  type TrendSource,
} from './trend-counts.ts';
import {
  type Change,
  countBack,
  lastPeriods,
  type Periods,
  type TrendPoint,
  type TrendUnit,
} from './trend-points.ts';

/** Requested number of points. */
export interface TrendLength {
  readonly days: number | undefined;
  readonly hours: number | undefined;
}

/**
 * Reads the number of matching failing findings at the end of each hour or day. All statements must have the same
 * snapshot, so that the last point equals the summary.
 */
export async function readTrend(
  client: Queryable,
  tenantId: string,
  unprepared: readonly Condition[],
  { days, hours }: TrendLength,
): Promise<FindingTrend> {
  const { now, startedAt } = await readTrendClock(client, tenantId);
  // Until all findings have keys, changes of counts are those of the backfill.
  const isPrevious = await lacksKeys(client, tenantId);
  const recordedFrom = isPrevious ? now : startedAt;
  const liveOnly = await exceptDeletedProviders(client, tenantId, 'findings');
  const conditions = await prepareConditions(client, tenantId, unprepared);
  return await withoutIndexScans(client, async () => {
    const source = { client, tenantId, conditions, isPrevious };
    const present: Present = {
      failed: sumBySeverity(await countFailing({ ...source, conditions: [...conditions, ...liveOnly] })),
      providers: await countLiveProviders(source),
      removals: liveOnly.length === 0 ? [] : await readRemovalsOf(source),
    };
    const read = async (unit: TrendUnit, number: number | undefined) =>
      number === undefined
        ? undefined
        : await readPoints(source, present, lastPeriods(unit, number, now, recordedFrom));
    return { day: await read('day', days), hour: await read('hour', hours) };
  });
}

/** The counts at the end of all periods. */
interface Present {
  readonly failed: ReadonlyMap<number, number>;
  readonly providers: number;
  /** The deletions of providers whose findings are not all removed. The findings count until then. */
  readonly removals: readonly Change<number>[];
}

async function readRemovalsOf(source: TrendSource): Promise<readonly Change<number>[]> {
  const removals = await readRemovals(source.client, source.tenantId);
  const sql = (bind: (value: unknown) => string) =>
    `findings.provider_id = any(${bind([...removals.keys()])}::uuid[])`;
  const ofRemoved: Condition = { sql, countsSql: sql, dimensions: ['provider'] };
  const counted = await countFailing({ ...source, conditions: [...source.conditions, ofRemoved] }, true);
  return counted.flatMap(({ providerId, severity, count }) => {
    const at = removals.get(providerId ?? '');
    return at === undefined ? [] : [{ at, key: severity, count: -count }];
  });
}

async function readPoints(
  source: TrendSource,
  present: Present,
  periods: Periods,
): Promise<readonly TrendPoint[]> {
  const { first, last } = periods;
  // While findings may lack keys, there are no other points.
  const changes = first === last ? [] : [...(await readFailingChanges(source, periods)), ...present.removals];
  const failed = countBack(present.failed, changes, periods);
  const providers = countBack(
    new Map([['all', present.providers]]),
    await readProviderChanges(source, periods),
    periods,
  );
  return failed.map((counts, at) => ({
    period: first + at,
    failed: counts,
    providers: providers[at]?.get('all') ?? 0,
  }));
}

function sumBySeverity(counts: readonly FailingCount[]): ReadonlyMap<number, number> {
  return new Map(counts.map(({ severity, count }) => [severity, count]));
}
