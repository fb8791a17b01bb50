import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RecordLimits, type RecordSpan, RecordSplitter } from '../src/index.ts';
import { mutate, randomValue, seededRandom } from './json-mutations.ts';

const limits: RecordLimits = { maxRecordBytes: 100_000, maxDepth: 40, maxKeys: 1000 };

function split(bytes: Buffer, chunkSize: () => number = () => bytes.length, bounds: RecordLimits = limits) {
  const spans: RecordSpan[] = [];
  const splitter = new RecordSplitter(bounds, (span) => spans.push(span));
  for (let at = 0; at < bytes.length; ) {
    const size = Math.max(1, chunkSize());
    splitter.push(bytes.subarray(at, at + size));
    at += size;
  }
  splitter.end();
  assert.equal(splitter.records, spans.length);
  assert.equal(splitter.bytes, bytes.length);
  return { spans, fault: splitter.fault };
}

const splitText = (text: string) => split(Buffer.from(text));
const texts = (text: string) => splitText(text).spans.map(({ start, end }) => text.slice(start, end));

/** What `JSON.parse` says of the whole file: its elements, or `undefined` where it is no array with elements. */
function oracle(bytes: Buffer): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(value) && value.length > 0 ? value : undefined;
  } catch (error) {
    assert.ok(error instanceof SyntaxError || error instanceof TypeError, String(error));
    return undefined;
  }
}

function elements(bytes: Buffer, spans: readonly RecordSpan[]): unknown[] | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return spans.map(({ start, end }): unknown => JSON.parse(decoder.decode(bytes.subarray(start, end))));
  } catch (error) {
    assert.ok(error instanceof SyntaxError || error instanceof TypeError, String(error));
    return undefined;
  }
}

function compareWithOracle(seed: number): void {
  const random = seededRandom(seed);
  const array = Array.from({ length: Math.floor(random() * 6) }, () => randomValue(random, 4));
  const indent = random() < 0.5 ? 2 : 0;
  const whole = Buffer.from(JSON.stringify(array, null, indent));
  const bytes = random() < 0.3 ? whole : mutate(random, whole);

  const largestChunk = random() < 0.5 ? 12 : 100;
  const result = split(bytes, () => Math.ceil(random() * largestChunk));
  const context = `seed ${seed}: ${JSON.stringify(bytes.toString('latin1'))}`;
  assert.deepEqual(result, split(bytes), `another chunking gives another result, ${context}`);
  const expected = oracle(bytes);
  const found = result.fault === undefined ? elements(bytes, result.spans) : undefined;
  assert.deepEqual(found, expected, context);
}

describe('the record splitter', () => {
  it('agrees with JSON.parse on thousands of valid and damaged files in any chunking', () => {
    const cases = Number(process.env.SPLITTER_CASES ?? 20_000);
    const first = Number(process.env.SPLITTER_SEED ?? 1);
    for (let seed = first; seed < first + cases; seed++) compareWithOracle(seed);
  });

  it('splits a large file in one piece as in many', () => {
    const random = seededRandom(7);
    const array = Array.from({ length: 60_000 }, () => randomValue(random, 4));
    const bytes = Buffer.from(JSON.stringify(array, null, 1));
    assert.ok(bytes.length > 2 ** 20);
    const { spans, fault } = split(bytes);
    assert.equal(fault, undefined);
    assert.deepEqual(elements(bytes, spans), array);
    assert.deepEqual(
      split(bytes, () => Math.ceil(random() * 10_000)),
      { spans, fault },
    );
  });

  it('reports each element with its exact bytes, without the white space around it', () => {
    assert.deepEqual(texts('[ {"a":"]"} ,\n[1,[2]], "x,]" , 12 ,null]'), [
      '{"a":"]"}',
      '[1,[2]]',
      '"x,]"',
      '12',
      'null',
    ]);
  });

  it('skips a UTF-8 byte order mark but no other byte before the array', () => {
    assert.equal(splitText('\ufeff [1]').spans.length, 1);
    assert.equal(split(Buffer.from([0xef, 0xbb, 0x5b, 0x5d])).fault?.code, 'not_an_array');
    assert.equal(splitText(' \ufeff[1]').fault?.code, 'not_an_array');
  });

  it('names what stands where the array should start', () => {
    for (const [text, seen] of [
      ['{"a":1}', "'{'"],
      ['"text"', "'\"'"],
      ['12', "'1'"],
      ['', 'white space'],
      [' \n', 'white space'],
    ] as const) {
      const { fault, spans } = splitText(text);
      assert.equal(fault?.code, 'not_an_array', text);
      assert.ok(fault.detail.includes(seen), fault.detail);
      assert.equal(spans.length, 0);
    }
  });

  it('tells UTF-16 apart from JSON that is merely wrong', () => {
    for (const bytes of [
      Buffer.from('\ufeff[1]', 'utf16le'),
      Buffer.from('[{"a":1}]', 'utf16le'),
      Buffer.from('[{"a":1}]', 'utf16le').swap16(),
    ]) {
      assert.equal(split(bytes).fault?.code, 'unsupported_encoding');
    }
  });

  it('keeps the records before the damage and says where it is', () => {
    assert.deepEqual(splitText('[{"a":1},{"b":[1}'), {
      spans: [{ start: 1, end: 8 }],
      fault: {
        code: 'invalid_json',
        byteOffset: 16,
        detail:
          "Found '}' at byte 16 inside record 1, which starts at byte 9, where ']' is expected; the file was not read beyond it",
      },
    });
    for (const [text, code, byteOffset, records] of [
      ['[{"a":1},{"b":2', 'truncated', 15, 1],
      ['[{"a":1},{"b":"2', 'truncated', 16, 1],
      ['[{"a":1}', 'truncated', 8, 1],
      ['[{"a":1},', 'truncated', 9, 1],
      ['[12', 'truncated', 3, 0],
      ['[', 'truncated', 1, 0],
      ['[{"a":1},]', 'invalid_json', 9, 1],
      ['[{"a":1},,{"b":1}]', 'invalid_json', 9, 1],
      ['[{"a":1}{"b":1}]', 'invalid_json', 8, 1],
      ['[1{"b":1}]', 'invalid_json', 2, 0],
      ['[{"a":1}]{"b":1}]', 'trailing_data', 9, 1],
      ['[]', 'no_records', 0, 0],
    ] as const) {
      const { spans, fault } = splitText(text);
      assert.deepEqual([fault?.code, fault?.byteOffset, spans.length], [code, byteOffset, records], text);
    }
  });

  it('marks a record over a bound and goes on with the next', () => {
    const bounds = { maxRecordBytes: 100, maxDepth: 3, maxKeys: 2 };
    const text = `[{"a":"${'x'.repeat(100)}"},[[[[1]]]],{"a":1,"b":2,"c":3},[[[1]]],{"a":1,"b":2}]`;
    const problems = split(Buffer.from(text), () => 7, bounds).spans.map(({ problem }) => problem);
    assert.deepEqual(problems, [
      'record_too_large',
      'record_too_deep',
      'record_too_many_keys',
      undefined,
      undefined,
    ]);
  });
});
