/**
 * Reads a query string: URL-encoded UTF-8 with `+` for a space. A parameter that is not encoded like that has the
 * value `null`, one that is given several times an array. Never throws: the router calls it outside of any handler.
 */
export function parseQueryString(text: string): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const equals = pair.indexOf('=');
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    const value = name === null ? null : decode(equals < 0 ? '' : pair.slice(equals + 1));
    const key = name ?? rawName;
    values.set(key, values.has(key) ? [values.get(key), value].flat() : value);
  }
  // Defines `__proto__` as a property like any other.
  return Object.fromEntries(values);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
