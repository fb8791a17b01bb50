/** A point whose coordinates are positive. */
export type Point = readonly [x: number, y: number];

/**
 * The slope of log(y) over log(x) of the line that fits these points best (least squares): 1 where twice x makes twice
 * y, 2 where it makes four times y.
 */
export function logarithmicSlope(points: readonly Point[]): number {
  const logarithms = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const meanX = logarithms.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = logarithms.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = logarithms.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logarithms.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
