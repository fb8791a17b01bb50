const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID'],
  [/2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, 'TIME'],
  [/sk_\w{8}\.\w+/g, 'API_KEY'],
  [/whsec_[\w+/]+=*/g, 'WEBHOOK_SECRET'],
  [/r=\d+;t=\d+/g, 'RATE'],
  [/\r\n/g, '\n'],
];

/** Text in which identifiers, times and keys are replaced with placeholders. */
export function withoutVariables(text: string): string {
  return VARIABLE.reduce((result, [pattern, word]) => result.replace(pattern, word), text);
}

/** A documented value that differs from the actual one, and its location. */
export interface Difference {
  readonly place: string;
  readonly documented: unknown;
  readonly actual: unknown;
}

/**
 * The differences between a documented, shortened JSON value and the actual one. The actual value can have more properties and
 * elements.
 */
export function differences(documented: unknown, actual: unknown, place = ''): readonly Difference[] {
  if (typeof documented === 'object' && documented !== null)
    return Object.entries(documented).flatMap(([name, value]) =>
      differences(value, propertyOf(actual, name), `${place}/${name}`),
    );
  const [one, other] = [documented, actual].map((value) => withoutVariables(String(JSON.stringify(value))));
  return one === other ? [] : [{ place, documented, actual }];
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
