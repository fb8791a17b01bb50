/** Injects one fault per run of the scenario. */
export interface FaultPoint {
  /** Starts counting calls, and makes the n-th call fail (0: no call). */
  readonly arm: (n: number) => Promise<void>;
  /** Stops counting calls and injecting the fault. */
  readonly disarm: () => Promise<Armed>;
}

/** The number of calls between `arm` and `disarm`. */
export interface Armed {
  readonly calls: number;
  /** The call that failed. */
  readonly failed: string | undefined;
}
