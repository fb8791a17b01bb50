/**
 * The `code` of an error: of a Node.js system error (`ENOENT`), of PostgreSQL (a SQLSTATE such as `53100`), of zlib, or of
 * Sluice itself. `undefined` for errors without a code, and for values that are not errors.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
