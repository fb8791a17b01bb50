/** Splits the values of a list flag at commas and white space, without duplicates. */
export function splitList(values: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => value.split(/[\s,]+/)).filter((word) => word !== '');
  return [...new Set(words)];
}
