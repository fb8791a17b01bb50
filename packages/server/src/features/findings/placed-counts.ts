import type { PageRange, Sections } from '../../db/paging/page-statement.ts';

type Range = PageRange & { readonly skip: number };

/** The number of findings that are consecutive in the sort order. */
export interface PlacedCount {
  readonly count: number;
  /** Number of findings before them in the sort order. */
  readonly start: number;
  /** Number of all matching findings. */
  readonly total: number;
}

/** SQL for whether a row is in the range. The first row, which has the total, is always selected. */
export function isPlacedInRange({ skip, take }: Range, bind: (value: unknown) => string): string {
  return `(start = 0 or (start < ${bind(skip + take)} and start + count > ${bind(skip)}))`;
}

/** The selected rows that are in the range, the number of their findings before the page, and the total. */
export function placedInRange<Row extends PlacedCount>(
  rows: readonly Row[],
  { skip, take }: Range,
): Required<Omit<Sections, 'sections'>> & { readonly inRange: readonly Row[] } {
  const inRange = rows.filter(({ count, start }) => start < skip + take && start + count > skip);
  return { inRange, skip: Math.max(0, skip - (inRange[0]?.start ?? 0)), count: rows[0]?.total ?? 0 };
}
