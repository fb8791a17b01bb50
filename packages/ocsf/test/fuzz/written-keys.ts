/** The keys of a JSON text as they are written between their quotes, on all levels. */
export function writtenKeys(text: string): readonly string[] {
  const strings = text.match(/"(?:[^"\\]|\\.)*"(?:[ \t\n\r]*:)?/gs) ?? [];
  return strings.filter((string) => string.endsWith(':')).map((key) => key.slice(1, key.lastIndexOf('"')));
}

/**
 * Whether a key is written with an escape. `JSON.parse` may take it for another one that it has met before (V8's fault:
 * nodejs/node#63785), so it is no oracle for the values then.
 */
export function hasEscapedKey(bytes: Buffer): boolean {
  return writtenKeys(bytes.toString('latin1')).some((key) => key.includes('\\'));
}
