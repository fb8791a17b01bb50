/** Where in the request the fault is (JSON:API 1.1, error objects). */
export interface ErrorSource {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

export interface ApiErrorOptions {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** The same for every error of this code. */
  readonly title: string;
  /** What happened this time and what to do. */
  readonly detail: string;
  readonly source?: ErrorSource;
  readonly headers?: Readonly<Record<string, string>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An answer to the client that is an error; everything else that is thrown becomes a 500 without words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly source: ErrorSource | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  constructor(options: ApiErrorOptions) {
    super(options.detail, { cause: options.cause });
    this.name = 'ApiError';
    this.status = options.status;
    this.code = options.code;
    this.title = options.title;
    this.source = options.source;
    this.headers = options.headers ?? {};
    this.meta = options.meta;
  }
}

export function badRequest(code: string, detail: string, source?: ErrorSource): ApiError {
  return new ApiError({
    status: 400,
    code,
    title: 'The request is wrong',
    detail,
    ...(source && { source }),
  });
}

export function invalidParameter(parameter: string, detail: string): ApiError {
  return new ApiError({
    status: 400,
    code: 'invalid_parameter',
    title: 'A query parameter is wrong',
    detail,
    source: { parameter },
  });
}

export function unsupportedMediaType(detail: string): ApiError {
  return new ApiError({
    status: 415,
    code: 'unsupported_media_type',
    title: 'Unsupported media type',
    detail: `${detail}; send multipart/form-data with the file as the part 'file'`,
    source: { header: 'Content-Type' },
  });
}

/** The answer where an upload's file was asked for that is not kept any more. */
export function fileRemoved(ingestionId: string): ApiError {
  return new ApiError({
    status: 410,
    code: 'file_removed',
    title: 'The file is gone',
    detail: `The file of ingestion ${ingestionId} was removed: its time was over and no finding needed it`,
  });
}

/** The one answer for an id that does not exist and for one that is another tenant's. */
export function notFound(detail: string): ApiError {
  return new ApiError({ status: 404, code: 'not_found', title: 'Not found', detail });
}

/** The answer to a body that does not come in time; the connection is not used again (RFC 9110, section 15.5.9). */
export function timedOut(code: string, detail: string, meta: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError({
    status: 408,
    code,
    title: 'The request took too long',
    detail,
    headers: { connection: 'close' },
    meta,
  });
}
