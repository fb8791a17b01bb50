import { z } from 'zod';
import { oneLine, parseJson } from '../http/response-text.ts';
import { errorCode } from '../lib/errors.ts';
import { type Read, read, unread } from './read-result.ts';

/** A complete response: its body has been read. */
export interface DirectoryResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Thrown if a request does not receive a complete response. */
export class NoResponseError extends Error {
  readonly reason: 'network' | 'timeout';
  /** The error code of the system call or the TLS library, if known, such as `ENOTFOUND`. */
  readonly code: string | undefined;

  /** The message is a predicate for the request, such as `did not respond (ENOTFOUND)`. */
  constructor(
    reason: 'network' | 'timeout',
    message: string,
    options: ErrorOptions & { readonly code?: string | undefined } = {},
  ) {
    super(message, options);
    this.name = 'NoResponseError';
    this.reason = reason;
    this.code = options.code;
  }

  /** Converts an error of `fetch`; `undefined` for an error that is not related to the network. */
  static from(error: unknown, timeoutSeconds: number): NoResponseError | undefined {
    if (!(error instanceof Error)) return undefined;
    if (error instanceof NoResponseError) return error;
    if (error.name === 'TimeoutError')
      return new NoResponseError('timeout', `did not respond within ${timeoutSeconds} s`, { cause: error });
    // Undici throws `fetch failed` before the headers are received and `terminated` afterwards, with the reason as the
    // cause.
    if (!(error instanceof TypeError) || !/^(fetch failed|terminated)/.test(error.message)) return undefined;
    const code = errorCode(error.cause);
    return new NoResponseError('network', `did not respond (${code ?? 'connection lost'})`, {
      cause: error,
      code,
    });
  }
}

const vendorError = z.object({ errorCode: z.string(), errorSummary: z.string().catch('') });
const oauthError = z.object({ error: z.string(), error_description: z.string().catch('') });

/** Returns the JSON of a successful response, or the problem. `name` identifies the request in messages. */
export function readResponse(
  response: DirectoryResponse,
  request: { readonly name: string; readonly scope: string; readonly isFeature: boolean },
): Read<unknown> {
  const { status, headers, text } = response;
  if (status === 200) {
    const body = parseJson(text);
    return body === undefined
      ? failed(`${request.name} returned 200 with ${describeNonJson(response)}`)
      : read(body);
  }
  const message = errorText(response);
  const detail = `${request.name} returned ${status}${message === '' ? '' : ` (${message})`}`;
  if (status === 403) {
    const insufficientScope = /insufficient_scope/.test(headers.get('www-authenticate') ?? '');
    return insufficientScope
      ? unread({ cause: 'scope', scope: request.scope, detail })
      : unread({ cause: 'role', scope: null, detail });
  }
  return isFeatureMissing(response) || (status === 404 && request.isFeature)
    ? unread({ cause: 'not_offered', scope: null, detail })
    : failed(detail);
}

/**
 * 401 `E0000015`, "You do not have permission to access the feature you are requesting" (Okta API error codes): the
 * organization does not have the feature; the token is valid.
 */
export function isFeatureMissing(response: DirectoryResponse): boolean {
  if (response.status !== 401) return false;
  const body = vendorError.safeParse(parseJson(response.text));
  return body.success && body.data.errorCode === 'E0000015';
}

/** A read that failed for any reason other than a scope, a role or a missing feature. */
export function failed<Value>(detail: string): Read<Value> {
  return unread({ cause: 'failed', scope: null, detail });
}

/** A read that is not attempted, because the token lacks the scope. */
export function missingScope<Value>(name: string, scope: string): Read<Value> {
  return unread({
    cause: 'scope',
    scope,
    detail: `${name} needs the scope ${scope}, which the access token does not have`,
  });
}

/** The error message of a response as one clause; empty if there is none. */
export function errorText(response: DirectoryResponse): string {
  const body = parseJson(response.text);
  const vendor = vendorError.safeParse(body);
  if (vendor.success) return clause(vendor.data.errorCode, vendor.data.errorSummary);
  const oauth = oauthError.safeParse(body);
  if (oauth.success) return clause(oauth.data.error, oauth.data.error_description);
  return response.text === '' || body !== undefined ? '' : describeNonJson(response);
}

/** Whether a response is HTML, such as a sign-in page. */
export function isHtml({ headers, text }: DirectoryResponse): boolean {
  return (headers.get('content-type') ?? '').includes('html') || text.trimStart().startsWith('<');
}

function describeNonJson(response: DirectoryResponse): string {
  return isHtml(response) ? 'an HTML page instead of JSON' : 'a body that is not JSON';
}

function clause(code: string, summary: string): string {
  return oneLine(summary === '' ? code : `${code}: ${summary}`);
}
