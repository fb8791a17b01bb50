import type { ClaimedFrame } from './claim.ts';
import { Exclusive } from './exclusive.ts';

/** Counts how many frames of each job a worker thread holds, so that no job occupies all slots of the thread. */
export class JobSlots {
  readonly #maxPerJob: number;
  readonly #held = new Map<string, number>();
  /** Serializes claims: each must take the results of previous claims into account. */
  readonly #claims = new Exclusive(undefined);

  constructor(maxPerJob: number) {
    this.#maxPerJob = maxPerJob;
  }

  /**
   * Claims a frame from a job below its limit; `claimFrame` receives the ids of the jobs at their limit. The slot is
   * held until `release`.
   */
  async claim(
    claimFrame: (fullJobs: readonly string[]) => Promise<ClaimedFrame | undefined>,
  ): Promise<ClaimedFrame | undefined> {
    return await this.#claims.use(async () => {
      const full = [...this.#held].filter(([, count]) => count >= this.#maxPerJob).map(([job]) => job);
      const claim = await claimFrame(full);
      if (claim !== undefined) this.#held.set(claim.ingestionId, this.#count(claim) + 1);
      return claim;
    });
  }

  release(claim: ClaimedFrame): void {
    const remaining = this.#count(claim) - 1;
    if (remaining > 0) this.#held.set(claim.ingestionId, remaining);
    else this.#held.delete(claim.ingestionId);
  }

  #count({ ingestionId }: ClaimedFrame): number {
    return this.#held.get(ingestionId) ?? 0;
  }
}
