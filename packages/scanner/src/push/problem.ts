import { PushError, type PushErrorCode } from '../client/index.ts';
import type { Log } from '../log.ts';
import { ScannerError } from '../scanner-error.ts';

const NETWORK = 'check the URL (SCANNER_CLOUD_API_BASE_URL) and the network';
const LATER = 'push the file again later: what has been taken is not taken twice';

/** What the person at the keyboard can do, where the error does not say it. */
const ADVICE: Readonly<Partial<Record<PushErrorCode, string>>> = {
  missing_api_key: 'set it to an API key of the service',
  invalid_api_key: 'it is read from SCANNER_CLOUD_API_KEY',
  invalid_base_url: 'it is read from SCANNER_CLOUD_API_BASE_URL',
  unreachable: NETWORK,
  connection_lost: NETWORK,
  no_answer: NETWORK,
  untrusted_certificate:
    "name your own authority's certificate in NODE_EXTRA_CA_CERTS, or check the URL (SCANNER_CLOUD_API_BASE_URL)",
  redirected: 'set SCANNER_CLOUD_API_BASE_URL to the address of the service itself',
  not_understood: 'check SCANNER_CLOUD_API_BASE_URL',
  unauthorized: 'verify the key in SCANNER_CLOUD_API_KEY and its permissions',
  permission_denied:
    'verify that the user of the key in SCANNER_CLOUD_API_KEY has the permission manage_ingestions',
  subscription_required: 'have the tenant of the key subscribed',
  rate_limited: LATER,
  service_failed: LATER,
};

/** A push that did not succeed, for people and for programs. */
export interface Problem {
  readonly code: string;
  /** What went wrong and what to do; one clause. */
  readonly message: string;
}

/** Any error of a push. One that nobody foresaw has the code `unexpected`, and its story is in the log. */
export function problemOf(error: unknown, log: Log): Problem {
  if (error instanceof PushError) {
    const advice = ADVICE[error.code];
    return {
      code: error.code,
      message: advice === undefined ? error.message : `${error.message}; ${advice}`,
    };
  }
  if (error instanceof ScannerError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  log.error('the push broke', { error: error instanceof Error ? (error.stack ?? message) : message });
  return { code: 'unexpected', message };
}

/** `Push failed: ... [code]`, or `Push skipped: ...` where nothing was tried, for want of a key. */
export function problemLine({ code, message }: Problem): string {
  return `Push ${code === 'missing_api_key' ? 'skipped' : 'failed'}: ${message} [${code}]`;
}

/** After one of these the next file would fare no better. */
const SERVICE_PROBLEMS: ReadonlySet<string> = new Set<PushErrorCode>([
  'unreachable',
  'untrusted_certificate',
  'connection_lost',
  'no_answer',
  'redirected',
  'not_understood',
  'unauthorized',
  'subscription_required',
  'permission_denied',
  'rate_limited',
  'service_failed',
]);

/** Whether a problem is the service's or the key's, and not one file's. */
export function affectsAllFiles({ code }: Problem): boolean {
  return SERVICE_PROBLEMS.has(code);
}
