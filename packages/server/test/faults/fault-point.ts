/** Injects one fault per run of the scenario. */
export interface FaultPoint {
  /** Starts counting calls, and makes the n-th fail (0: none). */
  readonly arm: (n: number) => Promise<void>;
  /** Stops counting; no further call fails. */
  readonly disarm: () => Promise<Armed>;
}

/** The calls between `arm` and `disarm`. */
export interface Armed {
  readonly calls: number;
  /** The call that failed. */
  readonly failed: string | undefined;
}
