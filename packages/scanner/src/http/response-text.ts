const MAX_LENGTH = 300;

/** Formats a server message for use within a sentence: one line, truncated, without a final period. */
export function oneLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/\.+$/, '');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}...` : line;
}

/** Parses JSON text; `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
