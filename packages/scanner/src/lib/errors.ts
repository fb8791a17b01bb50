/** An error that the user can fix, shown as one line without a stack. */
export class ScannerError extends Error {
  /** Stable error code, such as `missing_settings`. The codes are documented in `docs/directory-setup.md`. */
  readonly code: string;
  /** 1: the scan failed. 2: the command line, or a file that it names, is invalid. */
  readonly exitCode: 1 | 2;

  constructor(code: string, message: string, options: ErrorOptions & { readonly exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.name = 'ScannerError';
    this.code = code;
    this.exitCode = options.exitCode ?? 1;
  }
}

/** An invalid command line: exit code 2. */
export function usageError(message: string): ScannerError {
  return new ScannerError('usage', message, { exitCode: 2 });
}

/**
 * The error code of a system call, the TLS library or the HTTP library, such as `ECONNREFUSED`; `undefined` if there is
 * none.
 */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // If a host has several addresses, there is one error per address.
  return error instanceof AggregateError
    ? error.errors.map(errorCode).find((code) => code !== undefined)
    : undefined;
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether an error code means that no connection to the host, or to its proxy, could be established. */
export function isUnreachable(code: string | undefined): boolean {
  return code !== undefined && UNREACHABLE.has(code);
}
