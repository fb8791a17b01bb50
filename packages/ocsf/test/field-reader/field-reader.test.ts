import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FieldReader } from '../../src/index.ts';
import { TREE } from '../fuzz/field-reader-fuzzer.ts';
import { readAll } from '../fuzz/read-all.ts';

const reader = new FieldReader(TREE);

/** Reads a record that is surrounded by other records. */
function readOne(record: string | Buffer, encoding: 'latin1' | 'utf8' = 'utf8') {
  const bytes = Buffer.from(record);
  const around = Buffer.from('{"id":"other"}');
  const [start, end] = [around.length + 1, around.length + 1 + bytes.length];
  const text = Buffer.concat([around, Buffer.from(','), bytes, Buffer.from(','), around]);
  const places = [
    { start: 0, end: around.length },
    { start, end },
    { start: end + 1, end: text.length },
  ];
  const [before, value, after] = readAll(reader, text, encoding, places);
  assert.deepEqual([before?.id, after?.id], ['other', 'other']);
  return value;
}

describe('the field reader', () => {
  it('defers malformed JSON to a full parse', () => {
    for (const record of [
      '{"id":1',
      '{"id":01}',
      '{"id":1.}',
      '{"id":.5}',
      '{"id":-}',
      '{"id":1e}',
      '{"id":+1}',
      '{"id":tru}',
      '{"id":"a\nb"}',
      '{"id":"\\x"}',
      '{"id":"\\u12g4"}',
      '{"id":"a}',
      '{"id":1,}',
      '{"id" 1}',
      '{"id":1 "name":2}',
      '{id:1}',
      "{'id':1}",
      '{"other":[1,2}',
      '{"other":[1,]}',
      '{"other":{"a":1]}',
      '{"other":{"a"}}',
      '{"other":{1:1}}',
      '{"other":nul}',
      '{"other":NaN}',
      '{"other":"\u0001"}',
      '{"id":1}}',
      '{"id":1}{',
      '{"list":[{"id":1},]}',
      '{"list":[{"id":1}',
      '{\u00a0"id":1}',
    ]) {
      assert.throws(() => JSON.parse(record), record);
      assert.equal(readOne(record), undefined, record);
    }
  });

  it('defers ambiguous values to a full parse', () => {
    for (const record of [
      '{"id":1,"id":2}',
      '{"info":{"id":1},"info":{"name":2}}',
      '{"info":{"id":1},"info":null}',
      '{"i\\u0064":1}',
      '{"info":{"n\\u0061me":1}}',
      '{"id":{"a":1}}',
      '{"id":[1]}',
      '{"info":"text"}',
      '{"list":{"id":1}}',
      '{"list":[1]}',
      '[1]',
      '"text"',
      '12',
    ]) {
      assert.doesNotThrow(() => JSON.parse(record), record);
      assert.equal(readOne(record), undefined, record);
    }
  });

  it('reads the same values as JSON.parse', () => {
    for (const value of [
      '0',
      '-0',
      '-1.5e-7',
      '1E400',
      '12345678901234567890',
      'true',
      'false',
      'null',
      '""',
      '"plain"',
      '"ä€😀"',
      '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u20AC\\ud83d"',
      `"${'long text '.repeat(50)}"`,
    ]) {
      assert.deepEqual(readOne(`{"id": ${value}\r\n\t}`)?.id, JSON.parse(value), value);
    }
    assert.equal(readOne('{"id":"plain"}', 'latin1')?.id, 'plain');
  });

  it('distinguishes keys of the same length and keys with a common prefix', () => {
    const value = readOne('{"ib":1,"ids":2,"i":3,"":4,"sixteen bytes on":5,"sixteen bytes okay":6}');
    assert.deepEqual([value?.id, value?.['sixteen bytes ok']], [undefined, undefined]);
  });

  it('returns the values of each record, including repeated values', () => {
    const records = ['"a"', '"a"', '"b"', 'null', '"b"', '{}', '"b"', '"bb"', '"a"', '1', '1', '11'];
    const text = Buffer.from(records.map((id) => `{"id":${id}}`).join('\n'));
    const places: { start: number; end: number }[] = [];
    for (let start = 0; start < text.length; start = (places.at(-1)?.end ?? 0) + 1) {
      const newline = text.indexOf('\n', start);
      places.push({ start, end: newline === -1 ? text.length : newline });
    }
    const ids = readAll(reader, text, 'utf8', places).map((record) =>
      record === undefined ? 'full' : record.id,
    );
    assert.deepEqual(ids, ['a', 'a', 'b', null, 'b', 'full', 'b', 'bb', 'a', 1, 1, 11]);
  });

  it('distinguishes values of the same length that differ in a single byte', () => {
    for (const length of [1, 2, 15, 16, 17, 31, 32, 33, 100]) {
      const typical = 'x'.repeat(length);
      const values = [typical];
      for (let at = 0; at < length; at++)
        values.push(typical, `${typical.slice(0, at)}y${typical.slice(at + 1)}`);
      const parts = values.map((value) => `{"id":"${value}"}`);
      const places = parts.map((part, at) => ({ start: at * part.length, end: (at + 1) * part.length }));
      const ids = readAll(reader, Buffer.from(parts.join('')), 'utf8', places).map((record) => record?.id);
      assert.deepEqual(ids, values);
    }
  });

  it('reads any number of records, and skips a record that is too large or starts before the given bytes', () => {
    const record = '{"id":"x"}';
    const large = `{"id":"${'y'.repeat(2 ** 20)}"}`;
    const largest = `{"id":"${'z'.repeat(2 ** 20 - 9)}"}`;
    const parts = [...Array.from({ length: 700 }, () => record), large, record, largest, record];
    const text = Buffer.from(parts.join(''));
    let end = 0;
    const places = parts.map((part) => {
      const start = end;
      end += part.length;
      return { start, end };
    });
    const values = readAll(reader, text, 'latin1', [{ start: -3, end: 5 }, ...places]);
    assert.equal(values.length, places.length + 1);
    const unread = values.flatMap((value, position) => (value === undefined ? [position] : []));
    assert.deepEqual(unread, [0, 701]);
    assert.equal(String(values[703]?.id).length, 2 ** 20 - 9);
  });

  it('skips deeply nested values, and defers values beyond the depth limit to a full parse', () => {
    const nested = (levels: number) =>
      `{"other":${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)},"id":7}`;
    assert.equal(readOne(nested(512))?.id, 7);
    assert.equal(readOne(nested(514)), undefined);
    assert.equal(readOne(nested(20_000)), undefined);
  });

  it('rejects a field tree that is too large', () => {
    assert.throws(() => new FieldReader({ 'more than sixteen': true }), RangeError);
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`key${at}`, true] as const));
    assert.throws(() => new FieldReader(many), RangeError);
  });
});
