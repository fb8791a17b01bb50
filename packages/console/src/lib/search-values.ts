const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The values of a list in the address, `a,b`: each once, none empty. */
export function parseList(text: string | undefined): readonly string[] {
  const values = (text ?? '').split(',').map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== '');
}

/** Those of a list in the address that are among the known ones, in the known order. */
export function parseKnownValues<Value extends string>(
  text: string | undefined,
  known: readonly Value[],
): readonly Value[] {
  const values = new Set<string>(parseList(text));
  return known.filter((value) => values.has(value));
}

/** Whether it is a UUID (RFC 9562, section 4); the API refuses anything else where it wants an id. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** The UUIDs of a list in the address. */
export function parseUuids(text: string | undefined): readonly string[] {
  return parseList(text).filter(isUuid);
}

/** A day, `2026-01-31`; `undefined` where the text is none. */
export function parseDay(text: string | undefined): string | undefined {
  if (text === undefined || !DAY.test(text) || text < '0001') return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  // 31 February would be some day in March.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}
