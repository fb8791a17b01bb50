import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { modelSplit } from '../fuzz/file-model.ts';
import { split } from '../fuzz/splitter-fuzzer.ts';
import { TEST_SEEDS } from '../fuzz/test-seeds.ts';

const LIMITS = { maxRecordBytes: 1_000, maxDepth: 5, maxKeys: 20 };
const RUNS = 1_000;

const spaces = fc.stringMatching(/^[ \t\n\r]{0,20}$/);
/** Any JSON value with its serialized form, indented or not. */
const elements = fc.array(
  fc.record({
    value: fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }),
    indent: fc.constantFrom(0, 3),
    before: spaces,
    after: spaces,
  }),
  { minLength: 1, maxLength: 6 },
);
/** Arbitrary bytes, mostly bytes with a meaning in JSON. */
const bytes = fc
  .array(fc.oneof(fc.constantFrom(...Buffer.from('[]{},:"\\ \n1')), fc.integer({ min: 0, max: 255 })), {
    maxLength: 80,
  })
  .map((values) => Buffer.from(values));
/** Split positions as fractions of the length, so that the positions shrink independently of the bytes. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

function places(shares: readonly number[], length: number): readonly number[] {
  return shares.map((share) => Math.floor(share * length)).sort((a, b) => a - b);
}

for (const { what, seed } of TEST_SEEDS) {
  describe(`the record splitter, with ${what} properties (seed ${seed})`, () => {
    it('returns the elements of any array byte for byte', () => {
      fc.assert(
        fc.property(elements, cuts, (items, shares) => {
          const texts = items.map(({ value, indent }) => JSON.stringify(value, null, indent));
          const text = `[${items.map(({ before, after }, at) => `${before}${texts[at]}${after}`).join(',')}]`;
          const file = Buffer.from(text);
          const wide = { maxRecordBytes: 1e9, maxDepth: 100, maxKeys: 1e9 };
          const { spans, fault } = split(file, places(shares, file.length), wide);
          assert.equal(fault, undefined);
          assert.deepEqual(
            spans.map(({ start, end }) => file.toString('utf8', start, end)),
            texts,
          );
        }),
        { seed, numRuns: RUNS },
      );
    });

    it('agrees with the model on arbitrary bytes in chunks of any size', () => {
      fc.assert(
        fc.property(bytes, cuts, fc.boolean(), (file, shares, isArray) => {
          const whole = isArray ? Buffer.concat([Buffer.from('['), file]) : file;
          const { spans, fault } = split(whole, places(shares, whole.length), LIMITS);
          const found = fault && { code: fault.code, byteOffset: fault.byteOffset };
          assert.deepEqual({ spans, fault: found }, modelSplit(whole, LIMITS));
        }),
        { seed, numRuns: RUNS * 2 },
      );
    });
  });
}
