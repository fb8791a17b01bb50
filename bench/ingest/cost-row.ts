import type { BenchFile } from '../generate-file.ts';
import type { Cost } from '../process/measure.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';

type Row = Readonly<Record<string, string | number>>;

/** A cost as a row of a table; of what could not be done, why. */
export function costRow(
  what: string,
  { records, bytes }: Pick<BenchFile, 'records' | 'bytes'>,
  cost: Cost | string,
): Row {
  if (typeof cost === 'string') return { what, s: cost };
  return {
    what,
    s: roundToThreeDigits(cost.seconds),
    'records/s': Math.round(records / cost.seconds),
    'MB/s': roundToThreeDigits(bytes / 1e6 / cost.seconds),
    'CPU s': roundToThreeDigits(cost.cpuSeconds),
    'CPU s PostgreSQL': roundToThreeDigits(cost.postgresCpuSeconds),
    'peak MiB': Math.round(cost.peakMiB),
    'B written/record': Math.round(cost.writtenBytes / records),
    'B written/record PostgreSQL': Math.round(cost.postgresWrittenBytes / records),
  };
}
