import assert from 'node:assert/strict';
import { ScannerError } from '../../../src/lib/errors.ts';

/** Asserts that a call is rejected with a ScannerError that has a one-line message, and returns the error. */
export async function scannerError(promise: Promise<unknown>, code: string): Promise<ScannerError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ScannerError, `not a ScannerError: ${String(error)}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, /^[^\n]+\.$/);
  return error;
}
