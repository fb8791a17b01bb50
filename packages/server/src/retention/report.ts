/** Names of one kind that are kept; the count is exact beyond it. */
const MAX_NAMES = 1000;

/** How much of one kind was collected, or would be. */
export interface Collected {
  readonly count: number;
  /** In the blob store, where it is known. */
  readonly bytes?: number;
  /** Of a dry run only, the first of them. */
  readonly names?: readonly string[];
}

/** What housekeeping did or, dry, would do; as `sluice gc --json` prints it. */
export interface GarbageCollectionReport {
  readonly dry_run: boolean;
  readonly idempotency_keys: Collected;
  readonly jobs: Collected;
  readonly files: Collected;
  readonly orphan_blobs: Collected;
  readonly unfinished_uploads: Collected;
}

/** Counts what is collected of one kind. */
export class Tally {
  #count = 0;
  #bytes = 0;
  readonly #names: string[] | undefined;

  /** Keeps names only where nothing is done but to name. */
  constructor(dryRun: boolean) {
    this.#names = dryRun ? [] : undefined;
  }

  add(name: string, bytes = 0): void {
    this.#count++;
    this.#bytes += bytes;
    if (this.#names !== undefined && this.#names.length < MAX_NAMES) this.#names.push(name);
  }

  /** Of what has no bytes of its own. */
  countOnly(): Collected {
    return { count: this.#count, ...(this.#names && { names: this.#names }) };
  }

  countAndBytes(): Collected {
    return { count: this.#count, bytes: this.#bytes, ...(this.#names && { names: this.#names }) };
  }
}
