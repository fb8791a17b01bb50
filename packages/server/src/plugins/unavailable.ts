import { isBlobStoreFull } from '../blob-store/blob-store-full.ts';
import { isBlobStoreUnavailable } from '../blob-store/blob-store-unavailable.ts';
import { classifyDatabaseError } from '../db/classify-database-error.ts';
import { DatabaseUnavailable } from '../db/database-unavailable.ts';
import { StoredFileError } from '../frames/stored-bytes.ts';
import type { ErrorCode } from '../jsonapi/error-titles.ts';
import { ApiError } from '../jsonapi/errors.ts';

/** What is away is asked for again soon; a full disk takes somebody to make room. */
const AWAY_RETRY_SECONDS = 5;
const FULL_RETRY_SECONDS = 60;
const UNREADABLE_RETRY_SECONDS = 300;

/** The answer to a fault of what the service stands on, which nobody who sends requests can do anything about. */
export function unavailable(error: unknown): ApiError | undefined {
  if (error instanceof DatabaseUnavailable) return away('database_unavailable', 'The database', error);
  if (error instanceof StoredFileError) return unreadable(error);
  if (isBlobStoreUnavailable(error))
    return away('blob_store_unavailable', 'The store of uploaded files', error);
  const fault = classifyDatabaseError(error);
  if (fault === 'interrupted') return cutOff(error);
  if (!isBlobStoreFull(error) && fault !== 'disk_full') return undefined;
  return new ApiError({
    status: 507,
    code: 'insufficient_storage',
    detail: `The service has no room left to store this; nothing of it was kept. Try again in ${FULL_RETRY_SECONDS} s`,
    headers: { 'retry-after': String(FULL_RETRY_SECONDS) },
    cause: error,
  });
}

/** An operator has to put it back; until then it is the same for everybody. */
function unreadable(error: StoredFileError): ApiError {
  const what = error.code === 'file_missing' ? 'is missing' : 'is damaged';
  return new ApiError({
    status: 503,
    code: error.code,
    detail: `The stored file of this upload ${what}. The service still has the findings that were read from it`,
    headers: { 'retry-after': String(UNREADABLE_RETRY_SECONDS) },
    cause: error,
  });
}

function away(code: ErrorCode, what: string, cause: unknown): ApiError {
  return new ApiError({
    status: 503,
    code,
    detail: `${what} cannot be reached; try again in ${AWAY_RETRY_SECONDS} s`,
    headers: { 'retry-after': String(AWAY_RETRY_SECONDS) },
    cause,
  });
}

/** Nothing of the request was kept; another attempt may get through. */
function cutOff(cause: unknown): ApiError {
  return new ApiError({
    status: 503,
    code: 'database_timeout',
    detail: `The database ended a statement of this request, by a time limit of its own; nothing was changed. Try again in ${AWAY_RETRY_SECONDS} s`,
    headers: { 'retry-after': String(AWAY_RETRY_SECONDS) },
    cause,
  });
}

/** The answer to an upload that a stop cuts off. */
export function serviceStopping(): ApiError {
  return new ApiError({
    status: 503,
    code: 'service_stopping',
    detail: `The service stops before this upload was complete; nothing of it was kept. Try again in ${AWAY_RETRY_SECONDS} s`,
    headers: { 'retry-after': String(AWAY_RETRY_SECONDS) },
  });
}
