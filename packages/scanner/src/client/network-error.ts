import { errorCode, isUnreachable } from '../error-code.ts';
import { PushError } from './push-error.ts';

const TIME_OUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const CERTIFICATES = new Set([
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

/** A request that got no complete response. */
export interface NetworkFailure {
  readonly error: PushError;
  /** The largest number of useful retries: none if the certificate is not trusted, for example. */
  readonly maxUsefulRetries: number;
}

export interface RequestPlace {
  /** Of the service. */
  readonly origin: string;
  /** Host and port of the proxy that the request went to; `undefined`: none. */
  readonly proxy: string | undefined;
  readonly timeoutSeconds: number;
}

/** An error of the HTTP library as a fault of the network; `undefined` for an error that is not about the network. */
export function networkFailure(
  fault: unknown,
  { origin, proxy, timeoutSeconds }: RequestPlace,
): NetworkFailure | undefined {
  if (!(fault instanceof Error) || fault instanceof PushError) return undefined;
  const code = errorCode(fault) ?? errorCode(fault.cause);
  const told = (
    of: 'unreachable' | 'untrusted_certificate' | 'connection_lost' | 'no_answer',
    message: string,
  ) => new PushError(of, message, { cause: fault });

  if (code !== undefined && TIME_OUTS.has(code)) {
    const message = `${origin} did not respond: the connection was idle for ${timeoutSeconds} s`;
    return { error: told('no_answer', message), maxUsefulRetries: 1 };
  }
  if (code !== undefined && CERTIFICATES.has(code)) {
    return {
      error: told('untrusted_certificate', `the certificate of ${origin} is not trusted (${code})`),
      maxUsefulRetries: 0,
    };
  }
  if (code?.startsWith('ERR_SSL_') || code === 'EPROTO') {
    const message = `${origin} could not be reached: no TLS is spoken there (${code}); if it is meant to be so, write http://`;
    return { error: told('unreachable', message), maxUsefulRetries: 0 };
  }
  if (isUnreachable(code)) {
    // With a proxy, all connections go to the proxy.
    const message =
      proxy === undefined
        ? `${origin} could not be reached (${code}${elsewhere(fault, new URL(origin).host)})`
        : `the proxy ${proxy} could not be reached (${code}${elsewhere(fault, proxy)}), which HTTP_PROXY or HTTPS_PROXY names for ${origin}`;
    return { error: told('unreachable', message), maxUsefulRetries: Infinity };
  }
  if (code === 'UND_ERR_DESTROYED') {
    const message = `the client was closed before ${origin} had responded`;
    return { error: told('connection_lost', message), maxUsefulRetries: 0 };
  }
  // A refusal by the proxy is an error without a status.
  if (/proxy/i.test(fault.message)) {
    const message = `${origin} could not be reached through the proxy (${fault.message})`;
    return { error: told('unreachable', message), maxUsefulRetries: 0 };
  }
  const isLost = code !== undefined && /^(UND_ERR_SOCKET|ECONN|EPIPE|ETIMEDOUT|HPE_)/.test(code);
  if (!isLost) return undefined;
  return {
    error: told('connection_lost', `the connection to ${origin} broke off (${code})`),
    maxUsefulRetries: Infinity,
  };
}

/** The address behind a name that could not be reached. Empty if it is the same or unknown. */
function elsewhere(fault: Error, host: string): string {
  if (!('address' in fault && 'port' in fault)) return '';
  const place = `${fault.address}:${fault.port}`;
  return place === host ? '' : ` ${place}`;
}
