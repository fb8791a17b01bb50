/** Parses a readable query such as `?status=FAIL,MANUAL&sort=-severity`. If a name is repeated, the last value wins. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** The inverse of `parseSearch`. Omits `undefined` and empty values. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  // Commas, colons and, in values, equals signs need no encoding in a query (RFC 3986, section 3.4).
  const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%3D', '=');
  return text === '' ? '' : `?${text}`;
}
