/** What was typed after a flag that takes a list, split at commas and white space; each word once. */
export function splitList(values: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => value.split(/[\s,]+/)).filter((word) => word !== '');
  return [...new Set(words)];
}
