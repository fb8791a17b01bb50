import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ConformanceChecker,
  type DetectionFinding,
  findingUidOf,
  isRejection,
  type RecordProblem,
  readDetectionFinding,
  type UploadDefaults,
  type Warn,
} from '@sluice/ocsf';
import { PairMap } from '../../lib/pair-map.ts';
import type { IndexedRecord } from '../frames/record-index.ts';
import type { CheckOfRecord } from '../merge/ensure-checks.ts';
import { ProblemList } from './finish-frame.ts';
import { MISSING_ATTRIBUTE, MissingAttributes } from './missing-attributes.ts';
import type { RecordParser } from './record-parser.ts';
import { makeStorable } from './storable-text.ts';

/**
 * Number of records to read before other frames of the thread can run. Reading them takes a few milliseconds, so
 * PostgreSQL does not have to wait for the thread.
 */
const RECORDS_PER_SLICE = 200;

/** An accepted record and its position in the frame. */
export interface ReadRecord {
  readonly finding: DetectionFinding;
  readonly recordIndex: number;
  readonly offset: number;
  readonly bytes: number;
}

export interface FrameRecords {
  /**
   * The checks of the accepted records. Each has the description from its newest record (the first, if several have the
   * same time).
   */
  readonly checks: Iterable<CheckOfRecord>;
  /** One error per rejected record. */
  readonly errors: ProblemList;
  /** Warnings about accepted records. */
  readonly warnings: ProblemList;
  /** The required attributes that accepted records lack. */
  readonly missing: MissingAttributes;
  /** Records of class 2004, accepted or rejected. */
  readonly detectionFindings: number;
}

export interface ReadingSettings {
  readonly recordMaxBytes: number;
  readonly recordMaxDepth: number;
  readonly recordMaxKeys: number;
  readonly errorsKeptPerJob: number;
  readonly conformance: ConformanceChecker | undefined;
}

/** The records to read from a frame, as a range of positions. */
export interface Selection {
  readonly from: number;
  readonly to: number;
  /** Why these records cannot be stored. They are rejected without being read. */
  readonly unstorable: ReadonlyMap<number, string>;
}

interface FramePosition {
  readonly firstRecord: number;
  readonly byteOffset: number;
}

/**
 * Reads the selected records of a frame. Each record is either accepted or rejected with an error. Accepted records are
 * passed to `accept` in batches, so that they do not all stay in memory.
 */
export async function readRecords(
  parser: RecordParser,
  { from, to, unstorable }: Selection,
  { firstRecord, byteOffset }: FramePosition,
  defaults: UploadDefaults,
  settings: ReadingSettings,
  accept: (records: readonly ReadRecord[]) => Promise<void>,
): Promise<FrameRecords> {
  let accepted: ReadRecord[] = [];
  const errors = new ProblemList(settings.errorsKeptPerJob);
  const warnings = new ProblemList(settings.errorsKeptPerJob);
  const missing = new MissingAttributes();
  const { conformance } = settings;
  const checks = new PairMap<CheckOfRecord>();
  let detectionFindings = 0;
  // The current record. Functions that are created once per frame read these variables, because garbage takes time.
  let position = from - 1;
  let start = 0;
  let value: unknown;
  const problem = (code: string, pointer: string | null, detail: string, findingUid: string | null) =>
    // All problems are sanitized, because the detail may quote a raw U+0000, even though JSON does not allow it.
    makeStorable({
      code,
      recordIndex: firstRecord + position,
      byteOffset: byteOffset + start,
      pointer,
      findingUid,
      detail,
    });
  const reject = (code: string, pointer: string | null, detail: string, findingUid: string | null = null) =>
    errors.add(problem(code, pointer, detail, findingUid));
  const warn: Warn = ({ code, pointer, detail }) =>
    warnings.add(problem(code, pointer, detail, findingUidOf(value)));
  parser.skip(from);
  for (const record of parser.records.slice(from, to)) {
    position++;
    start = record.start;
    if (position % RECORDS_PER_SLICE === RECORDS_PER_SLICE - 1) {
      await accept(accepted);
      accepted = [];
      await nextTurn();
    }
    if (record.problem !== undefined) {
      reject(record.problem, null, problemDetail(record, record.problem, settings));
      parser.skip(1);
      continue;
    }
    const parsed = parser.next();
    if ('fault' in parsed) {
      reject('invalid_json', null, parsed.fault);
      continue;
    }
    value = parsed.value;
    const reason = unstorable.get(position);
    if (reason !== undefined) {
      detectionFindings++;
      reject('processing_failed', null, reason, findingUidOf(value));
      continue;
    }
    const result = readDetectionFinding(value, defaults, warn);
    if (isRejection(result)) {
      reject(result.code, result.pointer, result.detail, findingUidOf(value));
      if (result.pointer !== '' && result.pointer !== '/class_uid') detectionFindings++;
      continue;
    }
    detectionFindings++;
    const finding = parsed.storable(result);
    const recordIndex = firstRecord + position;
    accepted.push({ finding, recordIndex, offset: start, bytes: record.end - start });
    if (conformance !== undefined)
      for (const { pointer, detail } of conformance.check(value, parsed.missing))
        missing.add(pointer, () => problem(MISSING_ATTRIBUTE, pointer, detail, finding.uid));
    const { providerType, checkId } = finding;
    const known = checks.get(providerType, checkId);
    if (known === undefined || finding.time > known.finding.time) {
      const { fingerprint, texts } = parsed.readTexts(warn);
      checks.set(providerType, checkId, { finding, fingerprint, texts });
    }
  }
  await accept(accepted);
  return { checks: checks.values(), errors, warnings, missing, detectionFindings };
}

function problemDetail(
  { start, end }: IndexedRecord,
  problem: RecordProblem,
  settings: ReadingSettings,
): string {
  switch (problem) {
    case 'record_too_large':
      return `The record is ${end - start} bytes long; the maximum is ${settings.recordMaxBytes} bytes.`;
    case 'record_too_deep':
      return `The record exceeds the maximum nesting depth of ${settings.recordMaxDepth} levels.`;
    case 'record_too_many_keys':
      return `The record exceeds the maximum of ${settings.recordMaxKeys} keys.`;
  }
}
