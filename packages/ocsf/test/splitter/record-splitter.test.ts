import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RecordLimits, type RecordSpan, RecordSplitter } from '../../src/index.ts';
import { valueText } from '../fuzz/json-text.ts';
import { parseBytes } from '../fuzz/parsed-array.ts';
import { seededRandom } from '../fuzz/random.ts';

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

describe('the record splitter', () => {
  it('returns the same records for a large file in one piece and in many pieces', () => {
    const random = seededRandom(7);
    const style = { compact: false, plainKeys: true };
    const elements = Array.from({ length: 30_000 }, () => valueText(random, 4, style));
    const bytes = Buffer.from(`[${elements.join(',\n')}]`);
    assert.ok(bytes.length > 2 ** 20);
    const { spans, fault } = split(bytes);
    assert.equal(fault, undefined);
    const values = spans.map(({ start, end }) => parseBytes(bytes.subarray(start, end))?.value);
    assert.deepEqual(values, parseBytes(bytes)?.value);
    assert.deepEqual(
      split(bytes, () => Math.ceil(random() * 10_000)),
      { spans, fault },
    );
  });

  it('reports each element with its exact bytes, without surrounding whitespace', () => {
    assert.deepEqual(texts('[ {"a":"]"} ,\n[1,[2]], "x,]" , 12 ,null]'), [
      '{"a":"]"}',
      '[1,[2]]',
      '"x,]"',
      '12',
      'null',
    ]);
  });

  it('skips a UTF-8 byte order mark before the array, but no other bytes', () => {
    assert.equal(splitText('\ufeff [1]').spans.length, 1);
    assert.equal(split(Buffer.from([0xef, 0xbb, 0x5b, 0x5d])).fault?.code, 'not_an_array');
    assert.equal(splitText(' \ufeff[1]').fault?.code, 'not_an_array');
  });

  it('describes the unexpected data before the array', () => {
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

  it('reports each line of newline-delimited JSON that is not blank, without surrounding whitespace', () => {
    const lines = ['{"a":"]\\n"}', '{"a"', '[1] 2', 'x', '{"b":{}}'];
    const text = `\ufeff\n \t${lines[0]} \r\n\n \n ${lines.slice(1, -1).join('\n\t')}\r\n${lines.at(-1)} `;
    const bytes = Buffer.from(text);
    for (const chunk of [bytes.length, 3, 1]) {
      const { spans, fault } = split(bytes, () => chunk);
      assert.equal(fault, undefined);
      assert.deepEqual(
        spans.map(({ start, end }) => bytes.toString('utf8', start, end)),
        lines,
      );
    }
  });

  it('applies the limits of a record to each line of newline-delimited JSON', () => {
    const small = { maxRecordBytes: 30, maxDepth: 2, maxKeys: 2 };
    const lines = [
      '{"a":1,"b":2,"c":3}',
      '{}',
      '{"a":{"b":{}}}',
      `"${'x'.repeat(30)}"`,
      '{"a":[[',
      '{"a":{"b":1}}',
    ];
    const { spans } = split(Buffer.from(lines.join('\n')), undefined, small);
    assert.deepEqual(
      spans.map(({ problem }) => problem),
      ['record_too_many_keys', undefined, 'record_too_deep', 'record_too_large', undefined, undefined],
    );
  });

  it('finds no records in a file whose first line is not an object that ends with a line feed', () => {
    for (const text of [
      '{"a":1}',
      '{"a":1} ',
      '{\n"a":1}\n',
      '{"a":"\n"}\n',
      '{"a":1},\n{"a":2}\n',
      '{"a":1} {"a":2}\n',
      '{"a":1]\n{}\n',
      '{"a":1',
      '"text"\n{}\n',
      '1\n2\n',
    ]) {
      const bytes = Buffer.from(text);
      for (const chunk of [bytes.length, 2, 1]) {
        const { fault, spans } = split(bytes, () => chunk);
        assert.deepEqual([fault?.code, fault?.byteOffset, spans], ['not_an_array', 0, []], text);
      }
    }
  });

  it('distinguishes UTF-16 from invalid JSON', () => {
    for (const bytes of [
      Buffer.from('\ufeff[1]', 'utf16le'),
      Buffer.from('[{"a":1}]', 'utf16le'),
      Buffer.from('[{"a":1}]', 'utf16le').swap16(),
    ]) {
      assert.equal(split(bytes).fault?.code, 'unsupported_encoding');
    }
  });

  it('keeps the records before the first syntax error and reports the position of the error', () => {
    assert.deepEqual(splitText('[{"a":1},{"b":[1}'), {
      spans: [{ start: 1, end: 8 }],
      fault: {
        code: 'invalid_json',
        byteOffset: 16,
        detail:
          "Expected ']' in record 1, which starts at byte 9, found '}' at byte 16. The rest of the file was not read.",
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

  it('flags a record that exceeds a limit and continues with the next record', () => {
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
