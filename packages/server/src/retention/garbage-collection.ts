import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Queryable } from '../db/transaction.ts';

/** What one round of housekeeping works on. */
export interface GarbageCollection {
  /** A connection of its own; every step is a short transaction, in which row level security shows one tenant at a time. */
  readonly client: Queryable;
  readonly blobs: BlobStore;
  /** Says what would be done, and does nothing. */
  readonly dryRun: boolean;
  /** Ends the round after the step that runs: it throws. */
  readonly signal: AbortSignal | undefined;
}

/** What ended, or was written, before these times is old enough. */
export interface Cutoffs {
  readonly orphan: Date;
  readonly file: Date;
  readonly job: Date;
  readonly idempotencyKey: Date;
}

/** Of the transactions of a round: a dry one cannot change anything. */
export function transactionMode({ dryRun }: GarbageCollection): string {
  return dryRun ? 'read only' : '';
}
