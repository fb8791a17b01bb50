/** Returns the median, or NaN if there are no values. For an even count, returns the upper of the two middle values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
