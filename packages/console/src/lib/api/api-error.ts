import type { components } from './schema.d.ts';

export type ErrorObject = components['schemas']['ErrorDocument']['errors'][number];

/** What a request can fail with; its message is for people. */
export abstract class RequestError extends Error {
  /** Whether the same request may go well a little later. */
  abstract readonly isTransient: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined = undefined;
}

/** No answer: the service is stopped, or the network is away. */
export class Unreachable extends RequestError {
  override readonly name = 'Unreachable';
  readonly isTransient = true;

  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
  }
}

/** An answer that is no document of the API, as a proxy in between gives it. */
export class UnexpectedResponse extends RequestError {
  override readonly name = 'UnreadableAnswer';
  readonly isTransient: boolean;
  readonly status: number;

  constructor(status: number) {
    super(`The answer (HTTP ${status}) is not one of Sluice. Is there a proxy in between?`);
    this.status = status;
    this.isTransient = status >= 500;
  }
}

/** An error document of the API (JSON:API 1.1, "Error Objects"). */
export class ApiError extends RequestError {
  override readonly name = 'ApiError';
  readonly isTransient: boolean;
  override readonly retryAfterMs: number | undefined;
  readonly status: number;
  readonly errors: readonly ErrorObject[];

  /** `retryAfter`: the header of this name (RFC 9110, section 10.2.3), which Sluice gives in seconds. */
  constructor(status: number, errors: readonly ErrorObject[], retryAfter: string | null) {
    super(errors.map(({ detail }) => detail).join('. '));
    this.status = status;
    this.errors = errors;
    this.isTransient = status === 429 || status === 503;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined;
  }

  /** Whether the key or the subscription does not allow it: 403 for the user, 401 for a narrowed key, 402. */
  get isAccessDenied(): boolean {
    return this.status === 401 || this.status === 402 || this.status === 403;
  }

  /** Stable, for programs. */
  get code(): string | undefined {
    return this.errors[0]?.code;
  }

  /** As in the service's log. */
  get requestId(): string | undefined {
    return this.errors[0]?.id;
  }
}

interface ResponseHead {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
}

/** The error of an answer that is none of the good ones. `body` is its JSON, or its text where it is none. */
export function toRequestError(response: ResponseHead, body: unknown): RequestError {
  if (!isErrorDocument(body)) return new UnexpectedResponse(response.status);
  return new ApiError(response.status, body.errors, response.headers.get('retry-after'));
}

function isErrorDocument(body: unknown): body is { readonly errors: readonly ErrorObject[] } {
  return typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors);
}
