import type { BenchFile } from '../generate-file.ts';
import type { Cost } from '../process/measure.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';

type Row = Readonly<Record<string, string | number>>;

/** Formats a cost as a table row, or the reason why it could not be measured. */
export function costRow(
  measured: string,
  { records, bytes }: Pick<BenchFile, 'records' | 'bytes'>,
  cost: Cost | string,
): Row {
  if (typeof cost === 'string') return { measured, seconds: cost };
  return {
    measured,
    seconds: roundToThreeDigits(cost.seconds),
    'records/s': Math.round(records / cost.seconds),
    'MB/s': roundToThreeDigits(bytes / 1e6 / cost.seconds),
    'CPU s': roundToThreeDigits(cost.cpuSeconds),
    'PostgreSQL CPU s': roundToThreeDigits(cost.postgresCpuSeconds),
    'peak MiB': Math.round(cost.peakMiB),
    'B written/record': Math.round(cost.writtenBytes / records),
    'PostgreSQL B written/record': Math.round(cost.postgresWrittenBytes / records),
  };
}
