/**
 * The code that an error carries: of a system error of Node.js (`ENOENT`), of PostgreSQL (a SQLSTATE, `53100`), of
 * zlib, or of one of our own that says so. Undefined for errors without one, and for what is no error.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
