import { errorCode } from '../error-code.ts';

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
