/** A set of measurements that `npm run bench` runs by name. */
export interface Suite {
  readonly name: string;
  /** The record counts without `--records`, if they differ from those of other suites. */
  readonly records?: readonly number[];
  readonly run: (context: BenchContext) => Promise<readonly Result[]>;
}

export interface BenchContext {
  /** A folder for files, which is always removed at the end. */
  readonly folder: string;
  /** Run the complete benchmark instead of the short form. */
  readonly long: boolean;
  readonly rounds: number;
  readonly records: readonly number[];
}

/** A table: a title that describes the measurement, and rows. Column names include the units. */
export interface Result {
  readonly title: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  /** The targets of this measurement. */
  readonly targets?: readonly Target[];
}

/** A measurement with a bound, and its value in each round. */
export interface Target {
  readonly measure: string;
  readonly rounds: readonly number[];
  readonly bound: 'at least' | 'at most';
  readonly target: number;
}
