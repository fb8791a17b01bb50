/** Returns the median, or NaN without values. Of an even count, it is the upper of the two middle values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
