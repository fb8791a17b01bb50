import { errorCode, isUnreachable } from '../lib/errors.ts';

/** Stable error codes, documented in `docs/pipelines.md`. */
export type PushErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'invalid_base_url'
  | 'invalid_proxy'
  | 'invalid_setting'
  | 'file_unreadable'
  | 'file_empty'
  | 'file_changed'
  | 'file_too_large'
  | 'unreachable'
  | 'untrusted_certificate'
  | 'connection_lost'
  | 'no_answer'
  | 'redirected'
  | 'not_understood'
  | 'unauthorized'
  | 'subscription_required'
  | 'permission_denied'
  | 'upload_too_large'
  | 'rate_limited'
  | 'refused'
  | 'service_failed'
  | 'wait_timeout';

export interface PushErrorOptions extends ErrorOptions {
  /** The HTTP status, if the service responded. */
  readonly status?: number | undefined;
}

/** An error of a client method. The message is one clause without a period. */
export class PushError extends Error {
  readonly code: PushErrorCode;
  readonly status: number | undefined;

  constructor(code: PushErrorCode, message: string, options: PushErrorOptions = {}) {
    super(message, options);
    this.name = 'PushError';
    this.code = code;
    this.status = options.status;
  }
}

/** A failed request that did not receive a complete response. */
export interface NetworkFailure {
  readonly error: PushError;
  /** The maximum number of retries that can help, such as 0 if the certificate is not trusted. */
  readonly maxUsefulRetries: number;
}

export interface RequestTarget {
  /** Origin of the service. */
  readonly origin: string;
  /** Host and port of the proxy that received the request; `undefined` without a proxy. */
  readonly proxy: string | undefined;
  readonly timeoutSeconds: number;
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const CERTIFICATE_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
]);

/** Converts an error of the HTTP library; `undefined` for an error that is not related to the network. */
export function networkFailure(
  cause: unknown,
  { origin, proxy, timeoutSeconds }: RequestTarget,
): NetworkFailure | undefined {
  if (!(cause instanceof Error) || cause instanceof PushError) return undefined;
  const code = errorCode(cause) ?? errorCode(cause.cause);
  const pushError = (
    of: 'unreachable' | 'untrusted_certificate' | 'connection_lost' | 'no_answer',
    message: string,
  ) => new PushError(of, message, { cause });

  if (code !== undefined && TIMEOUT_CODES.has(code)) {
    const message = `${origin} did not respond: the connection was idle for ${timeoutSeconds} s`;
    return { error: pushError('no_answer', message), maxUsefulRetries: 1 };
  }
  if (code !== undefined && CERTIFICATE_CODES.has(code)) {
    return {
      error: pushError('untrusted_certificate', `the certificate of ${origin} is not trusted (${code})`),
      maxUsefulRetries: 0,
    };
  }
  if (code?.startsWith('ERR_SSL_') || code === 'EPROTO') {
    const message = `${origin} could not be reached: the server does not use TLS (${code}); if this is intended, use http://`;
    return { error: pushError('unreachable', message), maxUsefulRetries: 0 };
  }
  if (isUnreachable(code)) {
    // With a proxy, all connections go to the proxy.
    const message =
      proxy === undefined
        ? `${origin} could not be reached (${code}${resolvedAddress(cause, new URL(origin).host)})`
        : `the proxy ${proxy} for ${origin}, set in HTTP_PROXY or HTTPS_PROXY, could not be reached (${code}${resolvedAddress(cause, proxy)})`;
    return { error: pushError('unreachable', message), maxUsefulRetries: Infinity };
  }
  if (code === 'UND_ERR_DESTROYED') {
    const message = `the client was closed before ${origin} responded`;
    return { error: pushError('connection_lost', message), maxUsefulRetries: 0 };
  }
  // The proxy rejected the request; the error has no status.
  if (/proxy/i.test(cause.message)) {
    const message = `${origin} could not be reached through the proxy (${cause.message})`;
    return { error: pushError('unreachable', message), maxUsefulRetries: 0 };
  }
  const isLost = code !== undefined && /^(UND_ERR_SOCKET|ECONN|EPIPE|ETIMEDOUT|HPE_)/.test(code);
  if (!isLost) return undefined;
  return {
    error: pushError('connection_lost', `the connection to ${origin} was lost (${code})`),
    maxUsefulRetries: Infinity,
  };
}

/** The resolved address of a host; empty if the address is unknown or is the host itself. */
function resolvedAddress(error: Error, host: string): string {
  if (!('address' in error && 'port' in error)) return '';
  const address = `${error.address}:${error.port}`;
  return address === host ? '' : ` ${address}`;
}
