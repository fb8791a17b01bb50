import type { BenchFile } from '../generate-file.ts';
import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import type { Result } from '../suite.ts';
import type { UploadRound, Uploads } from './upload-and-write.ts';

const TARGET = 0.6;

const ratio = ({ upload, written }: UploadRound) => written / upload;

/** Returns a row per compression format. Only the uncompressed file has a target. */
export function describeUploads({ records, bytes }: BenchFile, all: readonly Uploads[]): Result {
  const rounds = all[0]?.rounds.length ?? 0;
  return {
    title: `upload: ${records} records (${roundToThreeDigits(bytes / 1e6)} MB) to the 202; medians of ${rounds} rounds`,
    rows: all.map((uploads) => row(uploads, bytes)),
    targets: all
      .filter(({ format }) => format === 'none')
      .map((uploads) => ({
        measure: `upload of ${records} records: speed relative to writing the bytes`,
        rounds: uploads.rounds.map(ratio),
        bound: 'at least',
        target: TARGET,
      })),
  };
}

function row({ format, file, rounds }: Uploads, contentBytes: number): Record<string, string | number> {
  const medianOf = (value: (round: UploadRound) => number) => roundToThreeDigits(median(rounds.map(value)));
  return {
    compression: format,
    'MB sent': roundToThreeDigits(file.bytes / 1e6),
    'upload seconds': medianOf(({ upload }) => upload),
    'write and fsync seconds': medianOf(({ written }) => written),
    'plain HTTP receiver seconds': medianOf(({ received }) => received),
    'HTTP, discarded seconds': medianOf(({ discarded }) => discarded),
    'speed relative to writing': medianOf(ratio),
    'MB/s uncompressed': medianOf(({ upload }) => contentBytes / 1e6 / upload),
    'service CPU s': medianOf(({ cpu }) => cpu),
    'client CPU s': medianOf(({ clientCpu }) => clientCpu),
    'service peak MiB': Math.max(...rounds.map(({ peak }) => Math.round(peak))),
  };
}
