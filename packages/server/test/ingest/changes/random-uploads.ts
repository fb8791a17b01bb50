import { pickFrom } from '../../support/random-numbers.ts';
import { CHECKS, COVERAGES, RESOURCES, SEVERITIES, STATUSES, type Upload } from './changes-oracle.ts';

/** Hours between two uploads. */
export const INTERVAL = 10;

/** Uploads with times in ascending order, except that some are repeated later. */
export function randomUploads(
  random: (below: number) => number,
  count: number,
  interval = INTERVAL,
): readonly Upload[] {
  const pick = <Value>(values: readonly Value[]) => pickFrom(random, values);
  const uploads: Upload[] = [];
  while (uploads.length < count) {
    const repeated = random(6) === 0 ? uploads[random(uploads.length)] : undefined;
    uploads.push(
      repeated ?? {
        coverage: pick(COVERAGES),
        records: Array.from({ length: 1 + random(8) }, () => ({
          check: pick(CHECKS),
          resource: pick(RESOURCES),
          time: uploads.length * interval + random(3),
          status: pick(STATUSES),
          muted: random(5) === 0,
          severity: pick(SEVERITIES),
        })),
      },
    );
  }
  return uploads;
}

/** The orders of three uploads. */
export const ORDERS = [
  [1, 2, 0],
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [2, 0, 1],
  [2, 1, 0],
];
