import { codeOf } from '../lib/error-code.ts';

/** The code of errors that affect the whole store, not a single blob. */
export const BLOB_STORE_UNAVAILABLE = 'BLOB_STORE_UNAVAILABLE';

/** The store cannot be reached or used. Usually temporary. */
export class BlobStoreUnavailable extends Error {
  readonly code = BLOB_STORE_UNAVAILABLE;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'BlobStoreUnavailable';
  }
}

/** Whether an error means that the store is unavailable. Also works for errors from other threads. */
export function isBlobStoreUnavailable(error: unknown): boolean {
  return codeOf(error) === BLOB_STORE_UNAVAILABLE;
}
