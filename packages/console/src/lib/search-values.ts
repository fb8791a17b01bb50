const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
/** The key and value of a label. The value is a line of text with a visible character. */
const LABEL_KEY = '[A-Za-z0-9][A-Za-z0-9._/\\-]{0,62}';
const LABEL = new RegExp(`^${LABEL_KEY}=(?<value>(?=.*[^\\s\\p{DI}])[^\\p{Cc}\\p{Zl}\\p{Zp}\\ufffd]+)$`, 'u');
/** The API reads the text after such a comma as another label. */
const NEXT_LABEL = new RegExp(`,${LABEL_KEY}=`, 'u');
const MAX_LABEL_VALUE_LENGTH = 1024;
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

/** Returns a label such as `branch=main`, or `undefined` if the API can't filter by it. Its value can contain commas. */
export function parseLabel(text: string | undefined): string | undefined {
  if (text === undefined || NEXT_LABEL.test(text)) return undefined;
  const value = LABEL.exec(text)?.groups?.value ?? '';
  return value !== '' && value.length <= MAX_LABEL_VALUE_LENGTH ? text : undefined;
}
