/**
 * The `code` of an error from Node.js (such as `ENOENT`), PostgreSQL (a SQLSTATE such as `53100`), zlib or Sluice.
 * `undefined` for errors without a code and for values that are not errors.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The message of an error, or the thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error that the operator can fix. Its message is printed without a stack trace. */
export class OperatorError extends Error {}

/**
 * Runs the cleanup after the work, whether or not the work succeeds. If both fail, throws the error of the work,
 * because the cleanup usually fails as a consequence, for example on a broken connection.
 */
export async function withCleanup<Result>(
  work: () => Promise<Result>,
  cleanup: () => Promise<unknown>,
): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await Promise.allSettled([cleanup()]);
    throw error;
  }
  await cleanup();
  return result;
}
