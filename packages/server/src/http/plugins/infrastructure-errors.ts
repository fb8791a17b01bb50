import { isBlobStoreFull, isBlobStoreUnavailable } from '../../blobs/blob-store.ts';
import { classifyDatabaseError, DatabaseUnavailable } from '../../db/database-errors.ts';
import { StoredFileError } from '../../ingest/frames/stored-frame.ts';
import { ApiError, type ErrorCode } from '../../jsonapi/errors.ts';

/** Unavailable services usually recover soon, but a full disk requires an operator. */
const UNAVAILABLE_RETRY_SECONDS = 5;
const FULL_RETRY_SECONDS = 60;
const UNREADABLE_RETRY_SECONDS = 300;

/** Returns the error response for an infrastructure failure. `undefined` for other errors. */
export function unavailable(error: unknown): ApiError | undefined {
  if (error instanceof DatabaseUnavailable) return unreachable('database_unavailable', 'The database', error);
  if (error instanceof StoredFileError) return unreadable(error);
  if (isBlobStoreUnavailable(error)) return unreachable('blob_store_unavailable', 'The blob store', error);
  const fault = classifyDatabaseError(error);
  if (fault === 'interrupted') return interrupted(error);
  if (!isBlobStoreFull(error) && fault !== 'disk_full') return undefined;
  return new ApiError({
    status: 507,
    code: 'insufficient_storage',
    detail: `The server has run out of storage space; nothing was stored. Try again in ${FULL_RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(FULL_RETRY_SECONDS) },
    cause: error,
  });
}

function unreachable(code: ErrorCode, service: string, cause: unknown): ApiError {
  return new ApiError({
    status: 503,
    code,
    detail: `${service} cannot be reached. Try again in ${UNAVAILABLE_RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) },
    cause,
  });
}

/** All requests for the file fail until an operator restores it. */
function unreadable(error: StoredFileError): ApiError {
  const state = error.code === 'file_missing' ? 'is missing' : 'is damaged';
  return new ApiError({
    status: 503,
    code: error.code,
    detail: `The stored file of this upload ${state}. The findings that were ingested from it are not affected.`,
    headers: { 'retry-after': String(UNREADABLE_RETRY_SECONDS) },
    cause: error,
  });
}

/** The transaction was rolled back, and a retry may succeed. */
function interrupted(cause: unknown): ApiError {
  return new ApiError({
    status: 503,
    code: 'database_timeout',
    detail: `The database interrupted the request because of a time limit; nothing was changed. Try again in ${UNAVAILABLE_RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) },
    cause,
  });
}

/** Returns the error response to an upload that is interrupted by a shutdown. */
export function shuttingDown(): ApiError {
  return new ApiError({
    status: 503,
    code: 'service_stopping',
    detail: `The server is shutting down, and this incomplete upload was discarded. Try again in ${UNAVAILABLE_RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) },
  });
}
