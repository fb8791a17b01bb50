import 'zod-openapi';
import { z } from 'zod';
import { version } from './schemas.ts';

/** The `title` of every error code. A code has the same title in every response (JSON:API 1.1, "Error Objects"). */
export const ERROR_TITLES = {
  address_not_allowed: 'Address not allowed',
  bad_request: 'Bad request',
  blob_store_unavailable: 'Blob store unavailable',
  conflict: 'Resource mismatch',
  database_timeout: 'Database timeout',
  database_unavailable: 'Database unavailable',
  document_too_large: 'Document too large',
  document_too_slow: 'Request timeout',
  duplicate_header: 'Duplicate header',
  email_taken: 'Email already in use',
  empty_file: 'Empty file',
  expectation_failed: 'Expectation failed',
  file_damaged: 'Stored file damaged',
  file_missing: 'Stored file missing',
  file_removed: 'File removed',
  file_required: 'File required',
  finding_changed: 'Finding changed',
  headers_too_large: 'Request headers too large',
  idempotency_key_reused: 'Idempotency key reused',
  ingestion_in_progress: 'Ingestion in progress',
  insufficient_storage: 'Insufficient storage',
  internal_error: 'Internal server error',
  invalid_api_key: 'Invalid API key',
  invalid_compression: 'Invalid compressed data',
  invalid_document: 'Invalid request document',
  invalid_header: 'Invalid header',
  invalid_idempotency_key: 'Invalid idempotency key',
  invalid_json: 'Invalid JSON',
  invalid_parameter: 'Invalid query parameter',
  invalid_part: 'Invalid form field',
  invalid_permissions: 'Invalid permissions',
  last_holder: 'Permission would have no holder',
  malformed_multipart: 'Malformed multipart body',
  method_not_allowed: 'Method not allowed',
  missing_header: 'Missing header',
  name_taken: 'Name already in use',
  not_acceptable: 'Not acceptable',
  not_found: 'Not found',
  permission_denied: 'Permission denied',
  rate_limited: 'Too many requests',
  read_timeout: 'Query timeout',
  request_timeout: 'Request timeout',
  role_in_use: 'Role in use',
  service_stopping: 'Server shutting down',
  several_files: 'More than one file',
  subscription_required: 'Subscription required',
  too_many_exports: 'Too many concurrent exports',
  too_many_headers: 'Too many headers',
  too_many_parts: 'Too many form fields',
  too_many_reads: 'Too many concurrent reads',
  too_many_uploads: 'Too many concurrent uploads',
  too_many_webhooks: 'Too many webhooks',
  unexpected_part: 'Unexpected form field',
  unsupported_media_type: 'Unsupported media type',
  upgrade_in_progress: 'Upgrade in progress',
  upload_too_large: 'Upload too large',
  upload_too_long: 'Upload timeout',
  upload_too_slow: 'Upload too slow',
  webhook_disabled: 'Webhook disabled',
} as const;

/** A stable error code for programs. */
export type ErrorCode = keyof typeof ERROR_TITLES;

/** The part of the request that caused an error (JSON:API 1.1, "Error Objects"). */
export interface ErrorSource {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface ApiErrorOptions {
  readonly status: number;
  readonly code: ErrorCode;
  /** Describes the error in this request and how to fix it. Does not repeat `source`. */
  readonly detail: string;
  readonly source?: ErrorSource;
  readonly headers?: Readonly<Record<string, string>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * An error that is returned to the client. Any other thrown error results in a 500 response, and its message is only
 * logged.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly title: string;
  readonly source: ErrorSource | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  constructor(options: ApiErrorOptions) {
    super(options.detail, { cause: options.cause });
    this.name = 'ApiError';
    this.status = options.status;
    this.code = options.code;
    this.title = ERROR_TITLES[options.code];
    this.source = options.source;
    this.headers = options.headers ?? {};
    this.meta = options.meta;
  }
}

/** Returns a 400 error. */
export function badRequest(code: ErrorCode, detail: string, source?: ErrorSource): ApiError {
  return new ApiError({ status: 400, code, detail, ...(source && { source }) });
}

/** Returns the 400 error for an invalid query parameter. */
export function invalidParameter(parameter: string, detail: string): ApiError {
  return badRequest('invalid_parameter', detail, { parameter });
}

/** Returns the 415 error for an upload that is not a multipart form. */
export function unsupportedMediaType(detail: string): ApiError {
  return new ApiError({
    status: 415,
    code: 'unsupported_media_type',
    detail: `${detail}. Send multipart/form-data with the file in the field 'file'.`,
    source: { header: 'Content-Type' },
  });
}

/** Returns the 410 error for a file that was removed after its retention period. The advice is a sentence. */
export function fileRemoved(ingestionId: string, advice?: string): ApiError {
  const detail = `The file of ingestion ${ingestionId} was removed after its retention period because no finding refers to it.`;
  return new ApiError({
    status: 410,
    code: 'file_removed',
    detail: advice === undefined ? detail : `${detail} ${advice}`,
  });
}

/** Returns the 409 error for a job that has not ended. The advice is a sentence. */
export function ingestionInProgress(id: string, advice: string): ApiError {
  return new ApiError({
    status: 409,
    code: 'ingestion_in_progress',
    detail: `Ingestion ${id} has not ended. ${advice}`,
  });
}

/** Returns the 404 error, which is the same for an id that does not exist and an id that belongs to another tenant. */
export function notFound(detail: string, source?: ErrorSource): ApiError {
  return new ApiError({ status: 404, code: 'not_found', detail, ...(source && { source }) });
}

/** Returns the 408 error for a body that is not received in time. Closes the connection (RFC 9110, section 15.5.9). */
export function timedOut(code: ErrorCode, detail: string, meta: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError({ status: 408, code, detail, headers: { connection: 'close' }, meta });
}

const errorObject = z
  .strictObject({
    id: z.string().meta({ description: 'ID of the request, as in the header `X-Request-Id`.' }),
    status: z.string().meta({ description: 'HTTP status code.' }),
    code: z.string().meta({ description: 'Stable error code for programs.' }),
    title: z
      .string()
      .meta({ description: 'Short summary of the error, the same for every error with this code.' }),
    detail: z.string().meta({ description: 'Explanation of this error and how to resolve it.' }),
    source: z
      .strictObject({
        pointer: z
          .string()
          .optional()
          .meta({ description: 'JSON Pointer (RFC 6901) to the location in the request document.' }),
        parameter: z.string().optional().meta({ description: 'Name of the query parameter.' }),
        header: z.string().optional().meta({ description: 'Name of the request header.' }),
      })
      .optional()
      .meta({ description: 'The part of the request that caused the error.' }),
    meta: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Additional details, such as the limit that was exceeded.' }),
  })
  .meta({ id: 'Error', description: 'An error in the request or in the service.' });

/** The document in every response with a status of 400 or higher. */
export const errorDocument = z
  .strictObject({ errors: z.array(errorObject).min(1), meta: z.strictObject({ version }) })
  .meta({ id: 'ErrorDocument', description: 'The document in every error response.' });
