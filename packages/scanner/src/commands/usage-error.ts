import { ScannerError } from '../scanner-error.ts';

/** An invalid command line: exit code 2. */
export function usageError(message: string): ScannerError {
  return new ScannerError('usage', message, { exitCode: 2 });
}
