import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  type GeneratorOptions,
  generateFindings,
  generateRecord,
  OptionError,
  PROVIDER_NAMES,
} from '../src/index.ts';
import { at, fileText, recordsOf } from './read-records.ts';

const MIXED: Partial<GeneratorOptions> = { records: 400, seed: 7, invalidShare: 0.2, mutedShare: 0.2 };

describe('generateFindings', () => {
  it('generates the same bytes on every run and platform', () => {
    const hash = createHash('sha256');
    for (const provider of PROVIDER_NAMES) {
      assert.equal(fileText({ ...MIXED, provider }), fileText({ ...MIXED, provider }));
      hash.update(fileText({ ...MIXED, provider }));
    }
    // Update the hash when you intentionally change the generated files.
    assert.equal(hash.digest('hex'), 'b44d63e973e6ff16dc11faf2fdf2d26e22684d8048ea0b3342a4361a4d1f3c64');
  });

  it('generates a different file for a different seed', () => {
    assert.notEqual(fileText({ ...MIXED, seed: 7 }), fileText({ ...MIXED, seed: 8 }));
  });

  it('generates the records that generateRecord returns, with any indentation', () => {
    for (const provider of PROVIDER_NAMES) {
      for (const indent of [0, 4]) {
        const options = { ...MIXED, provider, indent };
        const records = recordsOf(options);
        assert.equal(records.length, 400);
        // Start from the end, to detect records that depend on the previous record.
        for (let index = 399; index >= 0; index -= 1) {
          assert.deepStrictEqual(records[index], generateRecord(options, index), `${provider} ${index}`);
        }
      }
    }
  });

  it('joins records without a newline and indents each record separately', () => {
    const [first, second] = [0, 1].map((index) => JSON.stringify(generateRecord({}, index), null, 4));
    assert.equal(fileText({ records: 2 }), `[${first},${second}]`);
    assert.equal(fileText({ records: 2, indent: 0 }).includes('\n'), false);
  });

  it('generates an empty array for 0 records', () => {
    assert.equal(fileText({ records: 0 }), '[]');
  });

  it('generates chunks of about 256 KiB on demand', () => {
    const chunks = [...generateFindings({ records: 2000 })];
    assert(chunks.length > 10);
    for (const chunk of chunks.slice(0, -1)) {
      assert(chunk.length >= 262_144 && chunk.length < 280_000, `${chunk.length} bytes`);
    }
    const endless = generateFindings({ records: 0xffff_ffff });
    assert.equal(endless.next().done, false);
    endless.return(undefined);
  });

  it('generates one- to four-byte characters, quotes, and backslashes', () => {
    const text = fileText({ records: 3000, provider: 'kubernetes' });
    for (const part of ['é', 'デ', '🛰', '\\"North\\"', '\\\\bin']) {
      assert(text.includes(part), part);
    }
  });

  it('rejects out-of-range options before the first chunk is requested', () => {
    const invalid: Partial<GeneratorOptions>[] = [
      { records: -1 },
      { records: 1.5 },
      { failShare: 1.01 },
      { accounts: 0 },
      { time: Number.NaN },
      { indent: 11 },
      { scanId: ' ' },
    ];
    for (const options of invalid) {
      const name = Object.keys(options).join();
      assert.throws(
        () => generateFindings(options),
        (error) => error instanceof OptionError && error.option === name,
      );
      assert.throws(() => generateRecord(options, 0), OptionError);
    }
    assert.throws(() => generateRecord({}, -1), RangeError);
  });

  it('writes the requested scan ID to every record, and by default one scan ID per account and time', () => {
    const ids = (options: Partial<GeneratorOptions>) =>
      new Set(
        recordsOf({ records: 200, accounts: 3, ...options }).map((record) =>
          at(record, 'unmapped', 'scan_id'),
        ),
      );
    assert.deepEqual([...ids({ scanId: 'nightly-1' })], ['nightly-1']);
    const first = ids({});
    assert.equal(first.size, 3);
    for (const id of first) {
      assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    const later = ids({ time: 1_785_628_800 });
    assert.equal(new Set([...first, ...later]).size, 6);
  });
});
