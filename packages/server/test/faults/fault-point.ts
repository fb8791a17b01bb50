/** Where faults are injected, one for each run of the scenario. */
export interface FaultPoint {
  /** Counts calls from now on, and makes the n-th of them fail; 0: none. */
  readonly arm: (n: number) => Promise<void>;
  /** Ends the counting; nothing fails any more. */
  readonly disarm: () => Promise<Armed>;
}

/** What happened between `arm` and `disarm`. */
export interface Armed {
  readonly calls: number;
  /** The call that failed. */
  readonly failed: string | undefined;
}
