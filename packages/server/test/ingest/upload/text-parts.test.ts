import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { label } from '../../../src/ingest/upload/labels.ts';
import { TextPartsReader, textPart } from '../../../src/ingest/upload/text-parts.ts';

/** The code points of the Basic Multilingual Plane that text can contain. */
const CHARACTERS = Array.from({ length: 0x10000 }, (_, at) => String.fromCharCode(at)).filter((character) =>
  character.isWellFormed(),
);

describe('the text fields of an upload', () => {
  for (const name of ['provider', 'account'] as const) {
    it(`accepts the same values as the schema of the ${name} field, with any characters`, () => {
      const { pattern } = textPart(name).meta() ?? {};
      assert.ok(typeof pattern === 'string');
      const schema = new RegExp(pattern, 'u');
      for (const character of CHARACTERS)
        for (const value of [character, `a${character}`, `${character}a`, `a${character}b`]) {
          const fault = new TextPartsReader().read({ name, value, truncated: false });
          assert.equal(
            fault === undefined,
            schema.test(value),
            `${JSON.stringify(value)}: ${fault?.message}`,
          );
        }
    });
  }

  it('accepts the same labels as the schema of the label field, with any characters', () => {
    const { pattern } = label.meta() ?? {};
    assert.ok(typeof pattern === 'string');
    const schema = new RegExp(pattern, 'u');
    for (const character of CHARACTERS)
      for (const value of [`a${character}=b`, `${character}=b`, `a=${character}`, `a=b${character}c`]) {
        const fault = new TextPartsReader().read({ name: 'label', value, truncated: false });
        assert.equal(fault === undefined, schema.test(value), `${JSON.stringify(value)}: ${fault?.message}`);
      }
  });

  it('rejects a text field with U+FFFD, which replaces invalid UTF-8, and explains this in the error', () => {
    const fault = new TextPartsReader().read({ name: 'account', value: 'a\ufffd', truncated: false });
    assert.match(fault?.message ?? '', /value is not valid UTF-8 or contains U\+FFFD/);
  });
});
