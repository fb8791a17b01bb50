import { modelSplit } from '../../../ocsf/test/fuzz/file-model.ts';
import { parseBytes } from '../../../ocsf/test/fuzz/parsed-array.ts';

/** The default limits of the service. */
const LIMITS = { maxRecordBytes: 4 * 2 ** 20, maxDepth: 100, maxKeys: 50_000 };

/** The expected outcome of a job. */
export interface ExpectedJob {
  readonly total: number;
  /** Expected count by error code. The oracle does not predict codes that are not listed. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The error codes that depend on JSON syntax alone. */
export const JSON_CODES: readonly string[] = [
  'invalid_json',
  'truncated',
  'trailing_data',
  'not_an_array',
  'unsupported_encoding',
  'no_records',
];

/** Computes the record count, the invalid records and the file error with `JSON.parse` and the simple file model. */
export function expectedJob(file: Buffer): ExpectedJob {
  const { spans, fault } = modelSplit(file, LIMITS);
  const counts: Record<string, number> = {};
  const count = (code: string) => {
    counts[code] = (counts[code] ?? 0) + 1;
  };
  for (const { start, end, problem } of spans)
    if (problem === undefined && parseBytes(file.subarray(start, end)) === undefined) count('invalid_json');
  if (fault !== undefined) count(fault.code);
  return { total: spans.length, counts };
}
