const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The values of a list in the address, `a,b`: each once, none empty. */
export function listOf(text: string | undefined): readonly string[] {
  const values = (text ?? '').split(',').map((value) => value.trim());
  return [...new Set(values)].filter((value) => value !== '');
}

/** Those of a list in the address that are among the known ones, in the known order. */
export function knownOf<Value extends string>(
  text: string | undefined,
  known: readonly Value[],
): readonly Value[] {
  const values = new Set<string>(listOf(text));
  return known.filter((value) => values.has(value));
}

/** The UUIDs of a list in the address (RFC 9562); the API refuses anything else where it wants ids. */
export function uuidsOf(text: string | undefined): readonly string[] {
  return listOf(text).filter((value) => UUID.test(value));
}

/** A day, `2026-01-31`; `undefined` where the text is none. */
export function dayOf(text: string | undefined): string | undefined {
  if (text === undefined || !DAY.test(text) || text < '0001') return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  // 31 February would be some day in March.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}
