/** Orders texts by their UTF-8 bytes, like the collation "C" of PostgreSQL. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
