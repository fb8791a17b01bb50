import type { GarbageCollection } from './garbage-collection.ts';

/**
 * Maximum number of failures. After that, the store itself has probably failed, and each further attempt may take a
 * minute.
 */
const MAX_FAILURES = 10;

/** Removes blobs that are no longer referenced. Continues after individual failures. */
export class BlobRemover {
  readonly #collection: GarbageCollection;
  readonly #failures: unknown[] = [];

  constructor(collection: GarbageCollection) {
    this.#collection = collection;
  }

  async remove(key: string): Promise<void> {
    const { blobs, signal } = this.#collection;
    await this.attempt(() => blobs.delete(key, signal));
  }

  /** Does nothing in a dry run. Only throws after too many failures. */
  async attempt(removal: () => Promise<void>): Promise<void> {
    const { dryRun, signal } = this.#collection;
    signal?.throwIfAborted();
    if (dryRun) return;
    try {
      await removal();
    } catch (error) {
      this.#failures.push(error);
      if (this.#failures.length === MAX_FAILURES) this.assertNoFailures();
    }
  }

  /** Throws if any blob could not be removed. */
  assertNoFailures(): void {
    const [first] = this.#failures;
    if (first === undefined) return;
    throw new BlobsNotRemoved(this.#failures.length, first);
  }
}

/** Unreferenced blobs could not be removed; the next garbage collection finds them again. */
export class BlobsNotRemoved extends Error {
  constructor(count: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${count} ${count === 1 ? 'blob' : 'blobs'} could not be removed: ${reason}`, { cause });
    this.name = 'BlobsNotRemoved';
  }
}
