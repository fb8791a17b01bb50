import { PushError, type PushErrorCode } from '../client/index.ts';
import { ScannerError } from '../lib/errors.ts';
import type { Log } from '../terminal/log.ts';

const NETWORK = 'check the URL (SCANNER_CLOUD_API_BASE_URL) and the network';
const LATER = 'try again later; content that was already accepted is not ingested twice';

/** Advice for errors whose message does not include any. */
const ADVICE: Readonly<Partial<Record<PushErrorCode, string>>> = {
  missing_api_key: 'set it to an API key of the service',
  invalid_api_key: 'check SCANNER_CLOUD_API_KEY',
  invalid_base_url: 'check SCANNER_CLOUD_API_BASE_URL',
  unreachable: NETWORK,
  connection_lost: NETWORK,
  no_answer: NETWORK,
  untrusted_certificate:
    'set NODE_EXTRA_CA_CERTS to the certificate of your certificate authority, or check the URL (SCANNER_CLOUD_API_BASE_URL)',
  redirected: 'set SCANNER_CLOUD_API_BASE_URL to the final URL of the service',
  not_understood: 'check SCANNER_CLOUD_API_BASE_URL',
  unauthorized: 'verify the key in SCANNER_CLOUD_API_KEY and its permissions',
  permission_denied:
    'verify that the user of the key in SCANNER_CLOUD_API_KEY has the permission manage_ingestions',
  subscription_required: "activate a subscription for the key's tenant",
  rate_limited: LATER,
  service_failed: LATER,
};

/** A push error with a stable code and a readable message. */
export interface Problem {
  readonly code: string;
  /** The error and the advice, as one clause. */
  readonly message: string;
}

/** Converts any push error. An unknown error gets the code `unexpected`, and its stack trace is logged. */
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
  log.error('unexpected push error', { error: error instanceof Error ? (error.stack ?? message) : message });
  return { code: 'unexpected', message };
}

/** The step that failed. The job exists if it is `wait` or `result`. */
export type Step = 'push' | 'retry' | 'wait' | 'result';

const STEPS: Readonly<Record<Step, string>> = {
  push: 'Push',
  retry: 'Retry',
  wait: 'Waiting for the job',
  result: 'Reading the result of the job',
};

/** Formats a problem as `Push failed: ... [code]`, or as `Push skipped: ...` if the API key is missing. */
export function problemLine(problem: Problem, step: Step = 'push'): string {
  const { code, message } = problem;
  return `${STEPS[step]} ${isSkipped(problem) ? 'skipped' : 'failed'}: ${message} [${code}]`;
}

/** Whether nothing was sent because the API key is missing. */
export function isSkipped({ code }: Problem): boolean {
  return code === 'missing_api_key';
}

/** Problems that affect all files. */
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

/** Whether a problem concerns the service or the key rather than a single file. */
export function affectsAllFiles({ code }: Problem): boolean {
  return SERVICE_PROBLEMS.has(code);
}
