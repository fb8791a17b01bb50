import type { RecordProblem } from '@sluice/ocsf';
import { decodeSkippable, encodeSkippable } from './skippable-frame.ts';

/**
 * Range of a record in its frame. A record that is too large for one frame may start before the frame (a negative
 * offset).
 */
export interface IndexedRecord {
  readonly start: number;
  readonly end: number;
  readonly problem?: RecordProblem;
}

const PROBLEMS: readonly (RecordProblem | undefined)[] = [
  undefined,
  'record_too_large',
  'record_too_deep',
  'record_too_many_keys',
];

/**
 * Builds the index of a frame's records, so that a reader does not have to split them again. For each record, it
 * contains the gap after the previous record (zigzag) and length * 4 + problem, both as LEB128. It follows the frame's
 * data as a skippable frame.
 */
export class RecordIndexBuilder {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;
  #previousEnd = 0;
  #records = 0;

  get records(): number {
    return this.#records;
  }

  add({ start, end, problem }: IndexedRecord): void {
    const gap = start - this.#previousEnd;
    this.#write(gap < 0 ? -gap * 2 - 1 : gap * 2);
    this.#write((end - start) * PROBLEMS.length + PROBLEMS.indexOf(problem));
    this.#previousEnd = end;
    this.#records++;
  }

  /** Returns the index as a skippable frame. */
  encode(): Buffer {
    return encodeSkippable(this.#bytes.subarray(0, this.#length));
  }

  #write(value: number): void {
    // 2^53 takes 8 bytes.
    if (this.#length + 8 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    let remaining = value;
    while (remaining >= 0x80) {
      this.#bytes[this.#length++] = (remaining % 0x80) + 0x80;
      remaining = Math.floor(remaining / 0x80);
    }
    this.#bytes[this.#length++] = remaining;
  }
}

/** Decodes an index. Throws if the bytes are not an index. */
export function decodeRecordIndex(frame: Buffer): IndexedRecord[] {
  const bytes = decodeSkippable(frame, 'record index');
  const records: IndexedRecord[] = [];
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = bytes[at++];
      if (byte === undefined)
        throw new Error('the record index of a stored frame ends in the middle of a number');
      value += (byte % 0x80) * scale;
      if (byte < 0x80) return value;
    }
  };
  let previousEnd = 0;
  while (at < bytes.length) {
    const gap = next();
    const packed = next();
    const start = previousEnd + (gap % 2 === 1 ? -(gap + 1) / 2 : gap / 2);
    const end = start + Math.floor(packed / PROBLEMS.length);
    const problem = PROBLEMS[packed % PROBLEMS.length];
    records.push(problem === undefined ? { start, end } : { start, end, problem });
    previousEnd = end;
  }
  return records;
}
