/**
 * An array in the notation of PostgreSQL ("Arrays", "Array Input and Output Syntax"), of values that need no quotes, such as
 * numbers, UUIDs, and times. The driver adds the elements of an array to the text one by one, which takes several times as
 * long.
 */
export function arrayLiteral(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

/** An array of any texts: `{"a","b"}`. */
export function textArrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
