/** Returns the keys of a JSON text on all levels as they are written between their quotes. */
export function writtenKeys(text: string): readonly string[] {
  const strings = text.match(/"(?:[^"\\]|\\.)*"(?:[ \t\n\r]*:)?/gs) ?? [];
  return strings.filter((string) => string.endsWith(':')).map((key) => key.slice(1, key.lastIndexOf('"')));
}

/**
 * Whether a key is escaped. `JSON.parse` may confuse it with another key (a bug in V8: nodejs/node#63785), so it is
 * no oracle for the values then.
 */
export function hasEscapedKey(bytes: Buffer): boolean {
  return writtenKeys(bytes.toString('latin1')).some((key) => key.includes('\\'));
}
