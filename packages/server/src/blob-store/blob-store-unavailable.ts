import { codeOf } from '../error-code.ts';

/** The code of errors that are the store's as a whole and say nothing of the blob that was asked for. */
export const BLOB_STORE_UNAVAILABLE = 'BLOB_STORE_UNAVAILABLE';

/** The store cannot be reached or used; it may be back in a moment. */
export class BlobStoreUnavailable extends Error {
  readonly code = BLOB_STORE_UNAVAILABLE;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'BlobStoreUnavailable';
  }
}

/** Whether an error, also one that came out of another thread, says that the store is away. */
export function isBlobStoreUnavailable(error: unknown): boolean {
  return codeOf(error) === BLOB_STORE_UNAVAILABLE;
}
