/**
 * Returns the code of a system error of Node.js (`ENOENT`), a PostgreSQL error (a SQLSTATE such as `53100`), a zlib
 * error, or one of this package's errors. Returns `undefined` for errors without a code and for other values.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
