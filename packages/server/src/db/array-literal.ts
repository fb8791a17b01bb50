/**
 * An array in the notation of PostgreSQL ("Arrays", Array Value Input), of values that need no quotes, such as numbers,
 * UUIDs, and times. The driver does the same with the elements of an array, but adds them to the text one by one, which takes several
 * times as long.
 */
export function arrayLiteral(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}
