import type { BlobStore } from '../blobs/blob-store.ts';
import type { Queryable } from '../db/transaction.ts';

/** A garbage collection run. */
export interface GarbageCollection {
  /**
   * A separate connection. Every step is a short transaction, because row level security exposes one tenant at a time.
   */
  readonly client: Queryable;
  readonly blobs: BlobStore;
  /** Reports what would be collected, without collecting it. */
  readonly dryRun: boolean;
  /** Ends the run after the current step, with an exception. */
  readonly signal: AbortSignal | undefined;
}

/** Cutoff times. Jobs that ended and data that was written before these times have expired. */
export interface Cutoffs {
  readonly orphan: Date;
  readonly file: Date;
  /** Of the files of dry runs. */
  readonly dryRunFile: Date;
  readonly job: Date;
  readonly idempotencyKey: Date;
  readonly event: Date;
  readonly delivery: Date;
}

/** The items of one category that were collected or, in a dry run, would be collected. */
export interface Collected {
  readonly count: number;
  /** Size in the blob store, if known. */
  readonly bytes?: number;
  /** Names of the first items. Present only in a dry run. */
  readonly names?: readonly string[];
}

/** The result of a garbage collection or a dry run, in the format of `sluice gc --json`. */
export interface GarbageCollectionReport {
  readonly dry_run: boolean;
  readonly idempotency_keys: Collected;
  readonly finding_events: Collected;
  readonly webhook_deliveries: Collected;
  readonly jobs: Collected;
  readonly files: Collected;
  readonly orphan_blobs: Collected;
  readonly unfinished_uploads: Collected;
}

/** The mode of the run's transactions: a dry run cannot change anything. */
export function transactionMode({ dryRun }: GarbageCollection): string {
  return dryRun ? 'read only' : '';
}

/** Maximum number of names per category. Items beyond this number are still counted. */
const MAX_NAMES = 1000;

/** Counts the collected items of one category. */
export class Tally {
  #count = 0;
  #bytes = 0;
  readonly #names: string[] | undefined;

  /** Names are kept only in a dry run. */
  constructor(dryRun: boolean) {
    this.#names = dryRun ? [] : undefined;
  }

  add(name: string, bytes = 0): void {
    this.#count++;
    this.#bytes += bytes;
    if (this.#names !== undefined && this.#names.length < MAX_NAMES) this.#names.push(name);
  }

  /** Adds items that have no names. */
  addUnnamed(count: number): void {
    this.#count += count;
  }

  /** The result for items that have no size. */
  countOnly(): Collected {
    return { count: this.#count, ...(this.#names && { names: this.#names }) };
  }

  countAndBytes(): Collected {
    return { count: this.#count, bytes: this.#bytes, ...(this.#names && { names: this.#names }) };
  }
}
