/**
 * Addresses as people read and write them: `?status=FAIL,MANUAL&sort=-severity`. Every value is text, empty ones are left
 * out, and of a name that comes twice the last counts.
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** The opposite of `parseSearch`; `undefined` is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  // Commas and colons may stand in a query as they are (RFC 3986, section 3.4).
  const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text === '' ? '' : `?${text}`;
}
