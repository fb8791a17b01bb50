/**
 * Parses a query string: percent-encoded UTF-8 with `+` for a space. An invalid encoding results in the value `null`,
 * and a repeated parameter in an array. Must not throw, because the router calls it outside of any handler.
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
  // Unlike an assignment, `fromEntries` treats `__proto__` as an ordinary property.
  return Object.fromEntries(values);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
