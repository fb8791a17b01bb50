import type { ClaimedFrame } from './claim.ts';
import { Exclusive } from './exclusive.ts';

/** Counts the frames of each job that a worker thread holds, so that one job never has all of its places. */
export class JobSlots {
  readonly #maxPerJob: number;
  readonly #held = new Map<string, number>();
  /** One claim at a time: each has to know what the one before it has got. */
  readonly #claims = new Exclusive(undefined);

  constructor(maxPerJob: number) {
    this.#maxPerJob = maxPerJob;
  }

  /** Claims a frame of a job that may have one more, given the ids of those that may not. It is held until `release`. */
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
    const left = this.#count(claim) - 1;
    if (left > 0) this.#held.set(claim.ingestionId, left);
    else this.#held.delete(claim.ingestionId);
  }

  #count({ ingestionId }: ClaimedFrame): number {
    return this.#held.get(ingestionId) ?? 0;
  }
}
