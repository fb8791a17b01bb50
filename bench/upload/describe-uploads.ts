import type { BenchFile } from '../generate-file.ts';
import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import type { Result } from '../suite.ts';
import type { UploadRound, Uploads } from './upload-and-write.ts';

const TARGET = 0.6;

const ratio = ({ upload, written }: UploadRound) => written / upload;

/** A row for each kind of file; only the plain one has a figure to reach. */
export function describeUploads({ records, bytes }: BenchFile, all: readonly Uploads[]): Result {
  const rounds = all[0]?.rounds.length ?? 0;
  return {
    title: `Upload of ${records} records (${roundToThreeDigits(bytes / 1e6)} MB) to the 202; medians of ${rounds}`,
    rows: all.map((uploads) => row(uploads, bytes)),
    targets: all
      .filter(({ format }) => format === 'none')
      .map((uploads) => ({
        measure: `upload of ${records} records, against writing the bytes`,
        rounds: uploads.rounds.map(ratio),
        bound: 'at least',
        target: TARGET,
      })),
  };
}

function row({ format, file, rounds }: Uploads, content: number): Record<string, string | number> {
  const of = (value: (round: UploadRound) => number) => roundToThreeDigits(median(rounds.map(value)));
  return {
    compression: format,
    'MB sent': roundToThreeDigits(file.bytes / 1e6),
    'upload s': of(({ upload }) => upload),
    'write and fsync s': of(({ written }) => written),
    'plain HTTP receiver s': of(({ received }) => received),
    'HTTP, thrown away s': of(({ discarded }) => discarded),
    'share of the speed of writing': of(ratio),
    'MB/s of content': of(({ upload }) => content / 1e6 / upload),
    'CPU s of the service': of(({ cpu }) => cpu),
    'CPU s of the client': of(({ clientCpu }) => clientCpu),
    'peak MiB of the service': Math.max(...rounds.map(({ peak }) => Math.round(peak))),
  };
}
