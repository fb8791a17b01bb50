import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  decodeRecordIndex,
  type IndexedRecord,
  RecordIndexBuilder,
} from '../../../src/ingest/frames/record-index.ts';

/** Gaps and lengths of up to 3 GiB, so that positions exceed 32 bits but stay below 2^53. */
const MAX_GAP = 3 * 1024 ** 3;

const problem = fc.constantFrom(
  undefined,
  'record_too_large' as const,
  'record_too_deep' as const,
  'record_too_many_keys' as const,
);

/** Records in file order. A gap is negative if a record starts before the previous record ends. */
const records = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.nat(200), fc.integer({ min: -MAX_GAP, max: MAX_GAP })),
      length: fc.oneof(fc.nat(200), fc.nat(MAX_GAP)),
      problem,
    }),
    { maxLength: 300 },
  )
  .map((steps) => {
    let previousEnd = 0;
    return steps.map(({ gap, length, problem }): IndexedRecord => {
      const start = previousEnd + gap;
      previousEnd = start + length;
      return { start, end: previousEnd, ...(problem && { problem }) };
    });
  });

function encode(indexed: readonly IndexedRecord[]): Buffer {
  const builder = new RecordIndexBuilder();
  for (const record of indexed) builder.add(record);
  assert.equal(builder.records, indexed.length);
  return Buffer.from(builder.encode());
}

describe('record index of a frame', () => {
  it('decodes an encoded record index to the same positions, lengths and problems', () => {
    fc.assert(
      fc.property(records, (indexed) => {
        assert.deepEqual(decodeRecordIndex(encode(indexed)), indexed);
      }),
    );
  });

  it('encodes a record index as one zstd skippable frame (RFC 8878, section 3.1.2) with its size', () => {
    fc.assert(
      fc.property(records, (indexed) => {
        const frame = encode(indexed);
        assert.equal(frame.readUInt32LE(0), 0x184d2a50);
        assert.equal(frame.readUInt32LE(4), frame.length - 8);
      }),
    );
  });

  it('encodes a contiguous record of up to 31 bytes in two bytes of the record index', () => {
    const indexed = Array.from({ length: 1_000 }, (_, at) => ({ start: at * 31, end: (at + 1) * 31 }));
    assert.equal(encode(indexed).length, 8 + 2 * 1_000);
  });

  it('rejects a record index with a wrong magic number, a wrong size or a truncated number', () => {
    const frame = encode([{ start: 0, end: 1_000_000 }]);
    const changed = (change: (copy: Buffer) => void) => {
      const copy = Buffer.from(frame);
      change(copy);
      return copy;
    };
    const noIndex = /no record index/;
    assert.throws(() => decodeRecordIndex(Buffer.alloc(0)), noIndex);
    assert.throws(() => decodeRecordIndex(frame.subarray(0, 7)), noIndex);
    assert.throws(() => decodeRecordIndex(changed((copy) => copy.writeUInt32LE(0x184d2a51, 0))), noIndex);
    assert.throws(() => decodeRecordIndex(frame.subarray(0, -1)), noIndex);
    assert.throws(() => decodeRecordIndex(Buffer.concat([frame, Buffer.alloc(1)])), noIndex);
    const truncated = Buffer.from(frame.subarray(0, -1));
    truncated.writeUInt32LE(truncated.length - 8, 4);
    assert.throws(() => decodeRecordIndex(truncated), /in the middle of a number/);
  });
});
