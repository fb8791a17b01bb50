import { ERROR_TITLES, type ErrorCode } from './error-titles.ts';

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

export function badRequest(code: ErrorCode, detail: string, source?: ErrorSource): ApiError {
  return new ApiError({ status: 400, code, detail, ...(source && { source }) });
}

export function invalidParameter(parameter: string, detail: string): ApiError {
  return badRequest('invalid_parameter', detail, { parameter });
}

export function unsupportedMediaType(detail: string): ApiError {
  return new ApiError({
    status: 415,
    code: 'unsupported_media_type',
    detail: `${detail}. Send multipart/form-data with the file in the field 'file'.`,
    source: { header: 'Content-Type' },
  });
}

/** The 410 error for a file that was removed after its retention period. */
export function fileRemoved(ingestionId: string): ApiError {
  return new ApiError({
    status: 410,
    code: 'file_removed',
    detail: `The file of ingestion ${ingestionId} was removed after its retention period because no finding refers to it.`,
  });
}

/** The 404 error, which is the same for an id that does not exist and an id that belongs to another tenant. */
export function notFound(detail: string, source?: ErrorSource): ApiError {
  return new ApiError({ status: 404, code: 'not_found', detail, ...(source && { source }) });
}

/** The 408 error for a body that is not received in time. Closes the connection (RFC 9110, section 15.5.9). */
export function timedOut(code: ErrorCode, detail: string, meta: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError({ status: 408, code, detail, headers: { connection: 'close' }, meta });
}
