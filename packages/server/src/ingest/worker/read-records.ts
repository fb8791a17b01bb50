import { isAscii, isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DetectionFinding,
  type FieldReader,
  findingUidOf,
  isRejection,
  type RecordProblem,
  readCheckTexts,
  readDetectionFinding,
  type UploadDefaults,
  type Warn,
} from '@sluice/ocsf';
import type { FrameContent, IndexedRecord } from '../frames/stored-frame.ts';
import { type CheckOfRecord, checkKey } from '../merge/ensure-providers-and-checks.ts';
import { ProblemList } from './finish-frame.ts';

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
  /** Records of class 2004, accepted or rejected. */
  readonly detectionFindings: number;
}

export interface RecordBounds {
  readonly recordMaxBytes: number;
  readonly recordMaxDepth: number;
  readonly recordMaxKeys: number;
  readonly errorsKeptPerJob: number;
}

/** The records to read from a frame, as a range of positions. */
export interface Selection {
  readonly from: number;
  readonly to: number;
  /** Why these records cannot be stored. They are rejected without being read. */
  readonly unstorable: ReadonlyMap<number, string>;
}

interface FramePlace {
  readonly firstRecord: number;
  readonly byteOffset: number;
}

/**
 * Reads the selected records of a frame. Each record is either accepted or rejected with an error. Accepted records are
 * passed to `accept` in batches, so that they do not all stay in memory.
 */
export async function readRecords(
  content: FrameContent,
  { from, to, unstorable }: Selection,
  { firstRecord, byteOffset }: FramePlace,
  defaults: UploadDefaults,
  bounds: RecordBounds,
  fieldReader: FieldReader,
  accept: (records: readonly ReadRecord[]) => Promise<void>,
): Promise<FrameRecords> {
  let accepted: ReadRecord[] = [];
  const errors = new ProblemList(bounds.errorsKeptPerJob);
  const warnings = new ProblemList(bounds.errorsKeptPerJob);
  const checks = new Map<string, CheckOfRecord>();
  let detectionFindings = 0;
  const parser = new RecordParser(content, fieldReader);
  const storable: typeof makeStorable = mayHoldUnstorableText(content.bytes)
    ? makeStorable
    : (value) => value;
  for (const [place, record] of content.records.slice(from, to).entries()) {
    const position = from + place;
    if (position % RECORDS_PER_SLICE === RECORDS_PER_SLICE - 1) {
      await accept(accepted);
      accepted = [];
      await nextTurn();
    }
    const recordIndex = firstRecord + position;
    const problem = (code: string, pointer: string | null, detail: string, findingUid: string | null) =>
      // All problems are sanitized, because the detail may quote a raw U+0000, even though JSON does not allow it.
      makeStorable({ code, recordIndex, byteOffset: byteOffset + record.start, pointer, findingUid, detail });
    const reject = (code: string, pointer: string | null, detail: string, findingUid: string | null = null) =>
      errors.add(problem(code, pointer, detail, findingUid));
    if (record.problem !== undefined) {
      reject(record.problem, null, problemDetail(record, record.problem, bounds));
      continue;
    }
    const parsed = parser.parseFields(position);
    if ('fault' in parsed) {
      reject('invalid_json', null, parsed.fault);
      continue;
    }
    const { value } = parsed;
    const reason = unstorable.get(position);
    if (reason !== undefined) {
      detectionFindings++;
      reject('processing_failed', null, reason, findingUidOf(value));
      continue;
    }
    const warn: Warn = ({ code, pointer, detail }) =>
      warnings.add(problem(code, pointer, detail, findingUidOf(value)));
    const result = readDetectionFinding(value, defaults, warn);
    if (isRejection(result)) {
      reject(result.code, result.pointer, result.detail, findingUidOf(value));
      if (result.pointer !== '' && result.pointer !== '/class_uid') detectionFindings++;
      continue;
    }
    detectionFindings++;
    const finding = storable(result);
    accepted.push({ finding, recordIndex, offset: record.start, bytes: record.end - record.start });
    const key = checkKey(finding);
    const known = checks.get(key);
    if (known === undefined || finding.time > known.finding.time) {
      const whole = parser.parse(position);
      if ('fault' in whole)
        throw new Error(`record ${recordIndex} was read but is not valid JSON: ${whole.fault}`);
      checks.set(key, { finding, texts: storable(readCheckTexts(whole.value, warn)) });
    }
  }
  await accept(accepted);
  return { checks: checks.values(), errors, warnings, detectionFindings };
}

function problemDetail({ start, end }: IndexedRecord, problem: RecordProblem, bounds: RecordBounds): string {
  switch (problem) {
    case 'record_too_large':
      return `The record is ${end - start} bytes long; the maximum is ${bounds.recordMaxBytes} bytes.`;
    case 'record_too_deep':
      return `The record exceeds the maximum nesting depth of ${bounds.recordMaxDepth} levels.`;
    case 'record_too_many_keys':
      return `The record exceeds the maximum of ${bounds.recordMaxKeys} keys.`;
  }
}

/**
 * PostgreSQL's text type accepts neither U+0000 nor lone surrogates. Both can only come from `\u` escapes: JSON does
 * not allow a raw U+0000, and UTF-8 has no surrogates. A frame without such escapes needs no further checks.
 */
export function mayHoldUnstorableText(json: Buffer): boolean {
  return json.includes('\\u');
}

/** Replaces characters that PostgreSQL does not accept with U+FFFD, in all texts of a value. */
export function makeStorable<Value>(value: Value): Value;
export function makeStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map((item) => makeStorable(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makeStorable(item)]));
  }
  return value;
}

/** The value of a record, or why it cannot be parsed. */
type ParsedRecord = { readonly value: unknown } | { readonly fault: string };

/** Parses the records of a frame in order, most of them only in part. */
class RecordParser {
  readonly #content: FrameContent;
  readonly #encoding: 'latin1' | 'utf8' | undefined;
  readonly #fieldReader: FieldReader;
  /** The field reader has loaded records [from, to). */
  #from = 0;
  #to = 0;

  constructor(content: FrameContent, fieldReader: FieldReader) {
    this.#content = content;
    this.#encoding = encodingOf(content.bytes);
    this.#fieldReader = fieldReader;
  }

  /**
   * Returns the fields that a finding needs, or the whole record if the field reader cannot read them. The next call
   * may overwrite the value.
   */
  parseFields(position: number): ParsedRecord {
    if (this.#encoding === undefined) return this.parse(position);
    if (position < this.#from || position >= this.#to) {
      const { bytes, records } = this.#content;
      this.#from = position;
      this.#to = position + this.#fieldReader.load(bytes, this.#encoding, records, position);
    }
    const value = position < this.#to ? this.#fieldReader.record(position - this.#from) : undefined;
    return value === undefined ? this.parse(position) : { value };
  }

  /** Parses the whole record. */
  parse(position: number): ParsedRecord {
    const { bytes, records } = this.#content;
    const { start, end } = records[position] ?? { start: 0, end: 0 };
    if (this.#encoding === undefined && !isUtf8(bytes.subarray(start, end))) {
      return { fault: 'The record is not valid UTF-8.' };
    }
    try {
      return { value: JSON.parse(bytes.toString(this.#encoding, start, end)) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { fault: `The record is not valid JSON: ${error.message}.` };
    }
  }
}

/**
 * The encoding of all bytes; `undefined` if they are not UTF-8. ASCII, the most common case, is cheapest as `latin1`.
 */
function encodingOf(bytes: Buffer): 'latin1' | 'utf8' | undefined {
  if (isAscii(bytes)) return 'latin1';
  return isUtf8(bytes) ? 'utf8' : undefined;
}
