import { modelSplit } from '../../../ocsf/test/fuzz/file-model.ts';
import { parseBytes } from '../../../ocsf/test/fuzz/parsed-array.ts';

/** The default limits of the service. */
const LIMITS = { maxRecordBytes: 4 * 2 ** 20, maxDepth: 100, maxKeys: 50_000 };

/** What a job has to say of a file. */
export interface ExpectedJob {
  readonly total: number;
  /** How often each of these error codes is there; of other codes the oracle knows nothing. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The codes that JSON alone decides about. */
export const JSON_CODES: readonly string[] = [
  'invalid_json',
  'truncated',
  'trailing_data',
  'not_an_array',
  'unsupported_encoding',
  'no_records',
];

/** By `JSON.parse` and the plain model of files: how many records there are, which are no JSON, and the file's own fault. */
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
