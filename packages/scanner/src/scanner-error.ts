/** Something that the person at the keyboard can mend: shown as one line, without a stack. */
export class ScannerError extends Error {
  /** Stable name of the error, as `docs/directory-setup.md` lists it: `missing_settings`. */
  readonly code: string;
  /** 1: the scan could not be done. 2: the command line or a file named on it is wrong. */
  readonly exitCode: 1 | 2;

  constructor(code: string, message: string, options: ErrorOptions & { readonly exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.name = 'ScannerError';
    this.code = code;
    this.exitCode = options.exitCode ?? 1;
  }
}
