/** Returns the keys of a JSON text at all levels, exactly as they are written between their quotes. */
export function writtenKeys(text: string): readonly string[] {
  const strings = text.match(/"(?:[^"\\]|\\.)*"(?:[ \t\n\r]*:)?/gs) ?? [];
  return strings.filter((string) => string.endsWith(':')).map((key) => key.slice(1, key.lastIndexOf('"')));
}

/**
 * Whether a key is escaped. `JSON.parse` may confuse an escaped key with another (a bug in V8: nodejs/node#63785), so
 * results can't be compared in this case.
 */
export function hasEscapedKey(bytes: Buffer): boolean {
  return writtenKeys(bytes.toString('latin1')).some((key) => key.includes('\\'));
}
