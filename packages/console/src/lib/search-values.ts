const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Parses a comma-separated query parameter. Drops duplicates and empty values. */
export function parseList(text: string | undefined): readonly string[] {
  const values = (text ?? '').split(',').map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== '');
}

/** Parses a comma-separated query parameter and keeps the known values, in the order of `known`. */
export function parseKnownValues<Value extends string>(
  text: string | undefined,
  known: readonly Value[],
): readonly Value[] {
  const values = new Set<string>(parseList(text));
  return known.filter((value) => values.has(value));
}

/** Whether the value is a UUID (RFC 9562, section 4). The API rejects any other ID. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Parses a comma-separated query parameter and keeps the UUIDs. */
export function parseUuids(text: string | undefined): readonly string[] {
  return parseList(text).filter(isUuid);
}

/** Parses a date such as `2026-01-31`. Returns `undefined` if it is invalid. */
export function parseDay(text: string | undefined): string | undefined {
  if (text === undefined || !DAY.test(text) || text < '0001') return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  // `Date.parse` interprets February 31 as a day in March.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}
