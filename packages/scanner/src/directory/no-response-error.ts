import { errorCode } from '../error-code.ts';

/** A request to which no complete response was received. */
export class NoResponseError extends Error {
  readonly reason: 'network' | 'timeout';
  /** Of the system call or the TLS library, where it is known: `ENOTFOUND`. */
  readonly code: string | undefined;

  /** The message completes a sentence that starts with the request: `could not be sent (ENOTFOUND)`. */
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

  /** What fetch throws, as a NoResponseError; `undefined` for an error that is not about the network. */
  static from(error: unknown, timeoutSeconds: number): NoResponseError | undefined {
    if (!(error instanceof Error)) return undefined;
    if (error instanceof NoResponseError) return error;
    if (error.name === 'TimeoutError')
      return new NoResponseError('timeout', `did not respond within ${timeoutSeconds} s`, { cause: error });
    // Undici says `fetch failed` before the headers and `terminated` after them, with the reason in its cause.
    if (!(error instanceof TypeError) || !/^(fetch failed|terminated)/.test(error.message)) return undefined;
    const code = errorCode(error.cause);
    return new NoResponseError('network', `got no response (${code ?? 'the connection broke off'})`, {
      cause: error,
      code,
    });
  }
}
