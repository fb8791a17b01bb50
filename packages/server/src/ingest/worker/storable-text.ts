/**
 * PostgreSQL's text type accepts neither U+0000 nor lone surrogates. Both can only come from `\u` escapes: JSON does
 * not allow a raw U+0000, and UTF-8 has no surrogates. A frame without such escapes needs no further checks.
 */
export function mayHoldUnstorableText(json: Buffer): boolean {
  return json.includes('\\u');
}

/** Replaces characters that PostgreSQL does not accept with U+FFFD, in all texts of a value. */
export function makeStorable<Value>(value: Value): Value;
export function makeStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map((item) => makeStorable(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makeStorable(item)]));
  }
  return value;
}
