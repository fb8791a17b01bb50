import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeStorable, mayHoldUnstorableText } from '../../../src/ingest/worker/storable-text.ts';

/** Arbitrary code units, with frequent lone surrogates and U+0000. */
const text = fc
  .array(
    fc.oneof(fc.constantFrom(0, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x61), fc.integer({ min: 0, max: 0xffff })),
    {
      maxLength: 10,
    },
  )
  .map((units) => String.fromCharCode(...units));

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

describe('text that PostgreSQL can store', () => {
  it('replaces U+0000 and lone surrogates with U+FFFD and changes nothing else', () => {
    fc.assert(
      fc.property(text, (value) => {
        const stored = makeStorable(value);
        assert.ok(isStorable(stored));
        assert.equal(stored.length, value.length);
        if (isStorable(value)) assert.equal(stored, value);
        const unreplaced = [...stored].filter((character) => character !== '\ufffd');
        assert.ok(unreplaced.every((character) => value.includes(character)));
      }),
    );
  });

  it("replaces unstorable characters at any depth of a value and preserves the value's structure", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const value = { one, list: [other, { deep: one }], number: 1, nothing: null };
        const [first, second] = [makeStorable(one), makeStorable(other)];
        const expected = { one: first, list: [second, { deep: first }], number: 1, nothing: null };
        assert.deepEqual(makeStorable(value), expected);
      }),
    );
  });

  it('finds no unstorable characters in JSON without escapes', () => {
    fc.assert(
      fc.property(text, (value) => {
        const json = Buffer.from(JSON.stringify(value));
        if (!isStorable(JSON.parse(json.toString()))) assert.ok(mayHoldUnstorableText(json));
      }),
    );
  });
});
