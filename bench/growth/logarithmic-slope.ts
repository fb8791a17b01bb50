/** A point with positive coordinates. */
export type Point = readonly [x: number, y: number];

/**
 * Returns the slope of log(y) over log(x) by least squares: 1 if doubling x doubles y, 2 if it quadruples y.
 */
export function logarithmicSlope(points: readonly Point[]): number {
  const logarithms = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const meanX = logarithms.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = logarithms.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = logarithms.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logarithms.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
