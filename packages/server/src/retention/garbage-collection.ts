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
  readonly job: Date;
  readonly idempotencyKey: Date;
}

/** The mode of the run's transactions: a dry run cannot change anything. */
export function transactionMode({ dryRun }: GarbageCollection): string {
  return dryRun ? 'read only' : '';
}
