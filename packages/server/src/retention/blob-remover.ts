import type { GarbageCollection } from './garbage-collection.ts';

/** Where so many cannot be removed it is the store that fails, and each attempt may take a minute. */
const MAX_FAILURES = 10;

/** Removes blobs that the database does not need any more. One that cannot be removed does not keep the others. */
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

  /** Nothing in a dry run; throws only where too much has failed already. */
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

  /** Throws where something could not be removed. */
  assertNoFailures(): void {
    const [first] = this.#failures;
    if (first === undefined) return;
    throw new BlobsNotRemoved(this.#failures.length, first);
  }
}

/** Blobs that nobody needs are still there; the next round finds them again. */
export class BlobsNotRemoved extends Error {
  constructor(count: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${count} ${count === 1 ? 'blob' : 'blobs'} could not be removed: ${reason}`, { cause });
    this.name = 'BlobsNotRemoved';
  }
}
