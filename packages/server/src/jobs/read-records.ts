import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DetectionFinding,
  type FieldReader,
  findingUidOf,
  isRejection,
  type RecordProblem,
  type RejectionCode,
  readCheckTexts,
  readDetectionFinding,
  type UploadDefaults,
} from '@sluice/ocsf';
import type { FrameContent } from '../frames/read-frame.ts';
import type { IndexedRecord } from '../frames/record-index.ts';
import { type CheckOfRecord, checkKey } from './ensure-checks.ts';
import { RecordParser } from './record-parser.ts';
import { makeStorable, mayHoldUnstorableText } from './storable-text.ts';

/** So often the thread's other frame gets its turn, a few milliseconds: PostgreSQL should not wait for an answer. */
const RECORDS_PER_TURN = 200;

/** A record that was taken, and where it stands in its frame. */
export interface ReadRecord {
  readonly finding: DetectionFinding;
  readonly recordIndex: number;
  readonly offset: number;
  readonly bytes: number;
}

export type RecordErrorCode = RejectionCode | RecordProblem | 'invalid_json';

/** Why a record was not taken. `byteOffset` is its place in the inflated file. */
export interface RecordError {
  readonly code: RecordErrorCode;
  readonly recordIndex: number;
  readonly byteOffset: number;
  readonly pointer: string | null;
  readonly findingUid: string | null;
  readonly detail: string;
}

export interface FrameRecords {
  /** Each check of the records that were taken once, with the texts of its newest record (of several, the first). */
  readonly checks: Iterable<CheckOfRecord>;
  readonly errors: readonly RecordError[];
  /** Records of class 2004, taken or not. */
  readonly detectionFindings: number;
}

export interface RecordBounds {
  readonly recordMaxBytes: number;
  readonly recordMaxDepth: number;
  readonly recordMaxKeys: number;
}

interface FramePlace {
  readonly firstRecord: number;
  readonly byteOffset: number;
}

/**
 * Reads every record of a frame: each is either taken or an error, none is left out. Those that are taken are handed on
 * some at a time, so that they need not live until the end.
 */
export async function readRecords(
  content: FrameContent,
  { firstRecord, byteOffset }: FramePlace,
  defaults: UploadDefaults,
  bounds: RecordBounds,
  fieldReader: FieldReader,
  take: (records: readonly ReadRecord[]) => Promise<void>,
): Promise<FrameRecords> {
  let taken: ReadRecord[] = [];
  const errors: RecordError[] = [];
  const checks = new Map<string, CheckOfRecord>();
  let detectionFindings = 0;
  const parser = new RecordParser(content, fieldReader);
  const storable: typeof makeStorable = mayHoldUnstorableText(content.bytes)
    ? makeStorable
    : (value) => value;
  for (const [position, record] of content.records.entries()) {
    if (position % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) {
      await take(taken);
      taken = [];
      await nextTurn();
    }
    const recordIndex = firstRecord + position;
    const reject = (
      code: RecordErrorCode,
      pointer: string | null,
      detail: string,
      findingUid: string | null = null,
    ) => {
      const error = { code, recordIndex, byteOffset: byteOffset + record.start, pointer, findingUid, detail };
      // Always: the detail may quote a raw U+0000 that stands where JSON allows none.
      errors.push(makeStorable(error));
    };
    if (record.problem !== undefined) {
      reject(record.problem, null, problemDetail(record, record.problem, bounds));
      continue;
    }
    const parsed = parser.parseFields(position);
    if ('fault' in parsed) {
      reject('invalid_json', null, parsed.fault);
      continue;
    }
    const result = readDetectionFinding(parsed.value, defaults);
    if (isRejection(result)) {
      reject(result.code, result.pointer, result.detail, findingUidOf(parsed.value));
      if (result.pointer !== '' && result.pointer !== '/class_uid') detectionFindings++;
      continue;
    }
    detectionFindings++;
    const finding = storable(result);
    taken.push({ finding, recordIndex, offset: record.start, bytes: record.end - record.start });
    const key = checkKey(finding);
    const known = checks.get(key);
    if (known === undefined || finding.time > known.finding.time) {
      const whole = parser.parse(position);
      if ('fault' in whole) throw new Error(`record ${recordIndex} was read, but is no JSON: ${whole.fault}`);
      checks.set(key, { finding, texts: storable(readCheckTexts(whole.value)) });
    }
  }
  await take(taken);
  return { checks: checks.values(), errors, detectionFindings };
}

function problemDetail({ start, end }: IndexedRecord, problem: RecordProblem, bounds: RecordBounds): string {
  switch (problem) {
    case 'record_too_large':
      return `The record has ${end - start} bytes; a record may have ${bounds.recordMaxBytes} at most`;
    case 'record_too_deep':
      return `The record is nested deeper than ${bounds.recordMaxDepth} levels`;
    case 'record_too_many_keys':
      return `The record has more than ${bounds.recordMaxKeys} keys`;
  }
}
