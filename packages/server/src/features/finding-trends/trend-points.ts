/** The unit of the points of a trend. */
export type TrendUnit = 'hour' | 'day';

const HOUR_MS = 3_600_000;
export const PERIOD_MS: Readonly<Record<TrendUnit, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** The periods of a trend: hours or days of UTC, counted from 1970. */
export interface Periods {
  readonly unit: TrendUnit;
  readonly first: number;
  /** The current period. */
  readonly last: number;
}

/** The counts at the end of a period. */
export interface TrendPoint {
  readonly period: number;
  /** Number of failing findings by stored severity. */
  readonly failed: ReadonlyMap<number, number>;
  readonly providers: number;
}

/** A change of the count of a key. */
export interface Change<Key> {
  /** A time in the hour of the change. */
  readonly at: Date;
  readonly key: Key;
  readonly count: number;
}

/**
 * Returns the last `number` periods, without those that ended before the changes of counts began to be recorded. Times
 * are in milliseconds since 1970.
 */
export function lastPeriods(unit: TrendUnit, number: number, now: number, recordedFrom: number): Periods {
  const last = Math.floor(now / PERIOD_MS[unit]);
  return {
    unit,
    first: Math.max(last - number + 1, Math.min(Math.floor(recordedFrom / PERIOD_MS[unit]), last)),
    last,
  };
}

/**
 * Computes the counts at the end of each period, first period first. Goes back from the present counts: those at the end
 * of a period lack the changes in all later periods. Changes that were recorded after `now` belong to the last period.
 */
export function countBack<Key>(
  present: ReadonlyMap<Key, number>,
  changes: readonly Change<Key>[],
  { unit, first, last }: Periods,
): readonly ReadonlyMap<Key, number>[] {
  const byPeriod = Map.groupBy(changes, ({ at }) =>
    Math.min(Math.floor(at.getTime() / PERIOD_MS[unit]), last),
  );
  const counts = new Map(present);
  const points: ReadonlyMap<Key, number>[] = [];
  for (let period = last; period >= first; period--) {
    points.push(new Map(counts));
    for (const { key, count } of byPeriod.get(period) ?? []) counts.set(key, (counts.get(key) ?? 0) - count);
  }
  return points.toReversed();
}
