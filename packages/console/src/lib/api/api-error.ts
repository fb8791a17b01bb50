import type { components } from './schema.d.ts';

export type ErrorObject = components['schemas']['ErrorDocument']['errors'][number];

/** A failed request. The message is shown to the user. */
export abstract class RequestError extends Error {
  /** Whether a retry can succeed. */
  abstract readonly isTransient: boolean;
  /** How long to wait before a retry, in milliseconds, if the service requested it. */
  readonly retryAfterMs: number | undefined = undefined;
}

/** The service did not respond: it is down, or there is no network connection. */
export class Unreachable extends RequestError {
  override readonly name = 'Unreachable';
  readonly isTransient = true;

  constructor(cause: unknown) {
    super("Can't reach Sluice.", { cause });
  }
}

/** A response that is not an API document, for example from a proxy. */
class UnexpectedResponse extends RequestError {
  override readonly name = 'UnexpectedResponse';
  readonly isTransient: boolean;
  readonly status: number;

  constructor(status: number) {
    super(`The response (HTTP ${status}) did not come from Sluice. Check your reverse proxy.`);
    this.status = status;
    this.isTransient = status >= 500;
  }
}

/** An API error document (JSON:API 1.1, "Error Objects"). */
export class ApiError extends RequestError {
  override readonly name = 'ApiError';
  readonly isTransient: boolean;
  override readonly retryAfterMs: number | undefined;
  readonly status: number;
  readonly errors: readonly ErrorObject[];

  /** `retryAfter` is the Retry-After header (RFC 9110, section 10.2.3), which Sluice sends in seconds. */
  constructor(status: number, errors: readonly ErrorObject[], retryAfter: string | null) {
    super(errors.map(({ detail }) => detail).join(' '));
    this.status = status;
    this.errors = errors;
    this.isTransient = status === 429 || status === 503;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  }

  /** Whether the request was denied because of the key (401), the subscription (402) or the user (403). */
  get isAccessDenied(): boolean {
    return this.status === 401 || this.status === 402 || this.status === 403;
  }

  /** The error code, which is stable. */
  get code(): string | undefined {
    return this.errors[0]?.code;
  }

  /** The request ID, which also appears in the server log. */
  get requestId(): string | undefined {
    return this.errors[0]?.id;
  }
}

interface ResponseHead {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
}

/** Converts an error response to a `RequestError`. `body` is the parsed JSON, or the text if it is not JSON. */
export function toRequestError(response: ResponseHead, body: unknown): RequestError {
  if (!isErrorDocument(body)) return new UnexpectedResponse(response.status);
  return new ApiError(response.status, body.errors, response.headers.get('retry-after'));
}

function isErrorDocument(body: unknown): body is { readonly errors: readonly ErrorObject[] } {
  return typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors);
}
