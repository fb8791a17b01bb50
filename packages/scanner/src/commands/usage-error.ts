import { ScannerError } from '../scanner-error.ts';

/** The command line is wrong: exit code 2. */
export function usageError(message: string): ScannerError {
  return new ScannerError('usage', message, { exitCode: 2 });
}
