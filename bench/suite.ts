/** What `npm run bench` can measure by a name. */
export interface Suite {
  readonly name: string;
  readonly run: (context: BenchContext) => Promise<readonly Result[]>;
}

export interface BenchContext {
  /** For files; removed at the end, whatever happens. */
  readonly folder: string;
  /** The whole, instead of what takes minutes. */
  readonly long: boolean;
  readonly rounds: number;
  readonly records: readonly number[];
}

/** A table: a title (what was measured, with units in the column names) and rows. */
export interface Result {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  /** What of it was to be reached. */
  readonly targets?: readonly Target[];
}

/** A figure with a bound, as each round has measured it. */
export interface Target {
  readonly measure: string;
  readonly rounds: readonly number[];
  readonly bound: 'at least' | 'at most';
  readonly target: number;
}
