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
