/** As many digits as a measurement on a shared machine is worth. */
export function roundToThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}
