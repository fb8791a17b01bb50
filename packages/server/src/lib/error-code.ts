/** The `code` of an error from Node.js (such as `ENOENT`), PostgreSQL (a SQLSTATE such as `53100`), zlib or Sluice. `undefined` for errors without a code and for values that are not errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
