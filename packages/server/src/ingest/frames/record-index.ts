import type { RecordProblem } from '@sluice/ocsf';

/**
 * Range of a record in its frame. A record that is too large for one frame may start before the frame (a negative
 * offset).
 */
export interface IndexedRecord {
  readonly start: number;
  readonly end: number;
  readonly problem?: RecordProblem;
}

/**
 * The records of a frame in packed form: for each record, the gap after the previous record (zigzag) and length * 4 +
 * problem, both as LEB128. The index follows the frame's data as a zstd skippable frame (RFC 8878, section 3.1.2). The
 * index makes it unnecessary to split the records again, and other readers still see a plain zstd file.
 */
const SKIPPABLE_MAGIC = 0x184d2a50;
const HEADER_BYTES = 8;
const PROBLEMS: readonly (RecordProblem | undefined)[] = [
  undefined,
  'record_too_large',
  'record_too_deep',
  'record_too_many_keys',
];

export class RecordIndexBuilder {
  #bytes = Buffer.allocUnsafe(1024);
  #length = HEADER_BYTES;
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
    this.#bytes.writeUInt32LE(SKIPPABLE_MAGIC, 0);
    this.#bytes.writeUInt32LE(this.#length - HEADER_BYTES, 4);
    return this.#bytes.subarray(0, this.#length);
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
  if (
    frame.length < HEADER_BYTES ||
    frame.readUInt32LE(0) !== SKIPPABLE_MAGIC ||
    frame.readUInt32LE(4) !== frame.length - HEADER_BYTES
  ) {
    throw new Error('a stored frame has no record index at the expected offset');
  }
  const records: IndexedRecord[] = [];
  let at = HEADER_BYTES;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = frame[at++];
      if (byte === undefined)
        throw new Error('the record index of a stored frame ends in the middle of a number');
      value += (byte % 0x80) * scale;
      if (byte < 0x80) return value;
    }
  };
  let previousEnd = 0;
  while (at < frame.length) {
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
