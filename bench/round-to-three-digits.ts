/** More significant digits would be noise on a shared machine. */
export function roundToThreeDigits(value: number): number {
  return Number(value.toPrecision(3));
}
