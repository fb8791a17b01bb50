import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_ELEMENTS } from '../../src/extract/extract-reader.ts';
import {
  ELEMENT_SLOTS,
  FIRST_TEXT_SLOT,
  MISSING_SLOT,
  SLOTS,
  type TrackedObject,
} from '../../src/extract/field-layout.ts';
import { ExtractBuilder, FieldScanner, type RecordPlace } from '../../src/index.ts';
import { compileWasm, instantiateWasm } from '../../src/load-wasm.ts';
import { finding, valid } from '../detection-finding/read-record.ts';
import { TREE } from '../fuzz/extract-fuzzer.ts';
import { readAll } from '../fuzz/read-all.ts';

const scanner = new FieldScanner(TREE);

/** Reads a record that is surrounded by other records. */
function readWhole(record: string | Buffer) {
  const around = Buffer.from('{"id":"other"}');
  const { bytes, places } = concat([around, Buffer.from(record), around]);
  const [before, value, after] = readAll(scanner, bytes, places);
  assert.deepEqual([before?.fields.id, after?.fields.id], ['other', 'other']);
  return value;
}

const readOne = (record: string | Buffer) => readWhole(record)?.fields;

function concat(records: readonly (string | Buffer)[]): { bytes: Buffer; places: readonly RecordPlace[] } {
  const parts = records.map((record) => Buffer.from(record));
  let start = 0;
  const places = parts.map(({ length }) => {
    const place = { start, end: start + length };
    start += length + 1;
    return place;
  });
  return { bytes: Buffer.concat(parts.flatMap((part) => [part, Buffer.from(',')])), places };
}

describe('an extract of records', () => {
  it('has the limits that the scanner defines, and all elements that are read', () => {
    const file = new URL('../../src/extract/scan-fields.wasm', import.meta.url);
    const limits = { MAX_ELEMENTS, SLOTS, MISSING_SLOT, FIRST_TEXT_SLOT, ELEMENT_SLOTS };
    const defined = instantiateWasm<Record<string, WebAssembly.Global>>(compileWasm(file));
    for (const [name, limit] of Object.entries(limits)) assert.equal(defined[name]?.value, limit, name);
    const { resources } = finding(valid({ resources: Array(1000).fill({ uid: 'a' }) }));
    assert.ok(resources.length <= MAX_ELEMENTS);
  });

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
      '{"info":"text"}',
      '{"list":{"id":1}}',
      '{"list":[1]}',
      '{"list":[{},null]}',
      '{"list":[{"id":1,"id":2}]}',
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
      '{"a": [1, {"b": null}]}',
      '["a", "\\u0062"]',
      '[]',
    ]) {
      assert.deepEqual(readOne(`{"id": ${value}\r\n\t}`)?.id, JSON.parse(value), value);
    }
  });

  it('distinguishes keys of the same length and keys with a common prefix', () => {
    const value = readOne('{"ib":1,"ids":2,"i":3,"":4,"sixteen bytes on":5,"sixteen bytes okay":6}');
    assert.deepEqual([value?.id, value?.['sixteen bytes ok']], [undefined, undefined]);
    const keys = Array.from({ length: 31 }, (_, at) => 'k'.repeat(at + 2));
    const withLongKeys = new FieldScanner(Object.fromEntries(keys.map((key) => [key, true] as const)));
    const text = (key: string) => `{"${key.slice(1)}z":0,"${key}":1,"z${key.slice(1)}":2,"${key}z":3}`;
    const { bytes, places } = concat(keys.map(text));
    for (const [at, read] of readAll(withLongKeys, bytes, places).entries()) {
      const present = Object.entries(read?.fields ?? {}).filter(([, value]) => value !== undefined);
      assert.deepEqual(present, [[keys[at], 1]]);
    }
  });

  it('returns the values of each record, including repeated values', () => {
    const records = ['"a"', '"a"', '"b"', 'null', '"b"', '1 1', '"b"', '"bb"', '"a"', '1', '1', '11'];
    const { bytes, places } = concat(records.map((id) => `{"id":${id}}`));
    const ids = readAll(scanner, bytes, places).map((record) =>
      record === undefined ? 'full' : record.fields.id,
    );
    assert.deepEqual(ids, ['a', 'a', 'b', null, 'b', 'full', 'b', 'bb', 'a', 1, 1, 11]);
  });

  it('distinguishes values of the same length that differ in a single byte', () => {
    for (const length of [1, 2, 15, 16, 17, 31, 32, 33, 100]) {
      const typical = 'x'.repeat(length);
      const values = [typical];
      for (let at = 0; at < length; at++)
        values.push(typical, `${typical.slice(0, at)}y${typical.slice(at + 1)}`);
      const { bytes, places } = concat(values.map((value) => `{"id":"${value}","text":"${value}"}`));
      const read = readAll(scanner, bytes, places);
      assert.deepEqual(
        read.map((record) => [record?.fields.id, record?.texts.text]),
        values.map((value) => [value, value]),
      );
    }
  });

  it('reads any number of records, and skips a record that is too large or starts before the given bytes', () => {
    const record = '{"id":"x"}';
    const large = `{"id":"${'y'.repeat(2 ** 20)}"}`;
    const largest = `{"id":"${'z'.repeat(2 ** 20 - 9)}"}`;
    const parts = [...Array.from({ length: 700 }, () => record), large, record, largest, record];
    const { bytes, places } = concat(parts);
    const cut = { start: bytes.length - 3, end: bytes.length + 5 };
    const damaged = { start: 0, end: record.length, problem: 'record_too_deep' };
    const values = readAll(scanner, bytes, [{ start: -3, end: 5 }, ...places, cut, damaged]);
    assert.equal(values.length, places.length + 3);
    const unread = values.flatMap((value, position) => (value === undefined ? [position] : []));
    assert.deepEqual(unread, [0, 701, 705, 706]);
    assert.equal(String(values[703]?.fields.id).length, 2 ** 20 - 9);
  });

  it('skips deeply nested values, and defers values beyond the depth limit to a full parse', () => {
    const nested = (levels: number) =>
      `{"other":${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)},"id":7}`;
    assert.equal(readOne(nested(512))?.id, 7);
    assert.equal(readOne(nested(514)), undefined);
    assert.equal(readOne(nested(20_000)), undefined);
  });

  it('reads all elements of a list up to 100, and the length of a longer list', () => {
    const list = (length: number) =>
      Array.from({ length }, (_, id) => ({ id, group: { name: id % 3 === 0 ? 'same' : `name ${id}` } }));
    const lists = [0, 1, 3, 2, 100, 150, 1].map(list);
    const { bytes, places } = concat(lists.map((list) => JSON.stringify({ list })));
    for (const [at, value] of readAll(scanner, bytes, places).entries()) {
      const expected = lists[at] ?? [];
      const read = value?.fields.list;
      assert.ok(Array.isArray(read));
      assert.equal(read.length, expected.length);
      assert.deepEqual(read.slice(0, 100), expected.slice(0, 100));
    }
    assert.deepEqual(readOne('{"list":null}')?.list, []);
  });

  it('does not read records that are not valid UTF-8, and reads all others', () => {
    const valid = '{"id":"é"}';
    const invalid = Buffer.concat([Buffer.from('{"id":"'), Buffer.of(0xe9), Buffer.from('"}')]);
    const records = Array.from({ length: 1000 }, (_, at) => (at === 3 || at % 177 === 0 ? invalid : valid));
    const { bytes, places } = concat(records);
    assert.deepEqual(
      readAll(scanner, bytes, places).map((record) => record?.fields.id),
      records.map((record) => (record === valid ? 'é' : undefined)),
    );
  });

  it('contains equal texts once, and texts that differ in one byte separately', () => {
    const text = (at: number) => `${'long text '.repeat(50)}${at % 10}`;
    const { bytes, places } = concat(
      Array.from({ length: 2000 }, (_, at) => JSON.stringify({ info: { text: text(at) }, text: [at % 7] })),
    );
    const builder = new ExtractBuilder(scanner);
    builder.add(bytes, places);
    // 70 pairs of texts, and 20 bytes per record.
    assert.ok((builder.encode()?.length ?? 0) < 70 * 550 + 2000 * 20);
    for (const [at, read] of readAll(scanner, bytes, places).entries())
      assert.deepEqual(
        [read?.texts.info, read?.texts.text],
        [{ id: undefined, name: undefined, text: text(at), deep: { id: undefined } }, [at % 7]],
      );
  });

  it('is discarded if it exceeds its maximum size', () => {
    const { bytes, places } = concat(Array.from({ length: 300 }, (_, id) => JSON.stringify({ id })));
    const builder = new ExtractBuilder(scanner, 1000);
    builder.add(bytes, places.slice(0, 50));
    assert.notEqual(builder.encode(), undefined);
    builder.add(bytes, places.slice(50));
    assert.equal(builder.encode(), undefined);
  });

  it('rejects a field tree that is too large', () => {
    assert.throws(() => new FieldScanner({ 'more than thirty-two bytes of key': true }), RangeError);
    assert.throws(() => new FieldScanner({ '': true }), RangeError);
    const elements = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`key${at}`, true] as const));
    assert.throws(() => new FieldScanner({ list: [elements] }), RangeError);
    assert.throws(() => new FieldScanner({ list: [{ id: 'text' }] }), RangeError);
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`key${at}`, true] as const));
    assert.throws(() => new FieldScanner(many), RangeError);
  });

  it('rejects tracked attributes that are too many, are read as a whole, or have a type that does not exist', () => {
    const tracking = (record: TrackedObject) => () =>
      new FieldScanner(TREE, { record: 'record', types: { record, nested: { id: { required: true } } } });
    assert.doesNotThrow(tracking({ info: { object: 'nested' }, id: { required: true } }));
    assert.throws(tracking({ info: { object: 'unknown' } }), /'unknown' does not exist/);
    assert.throws(tracking({ name: { object: 'nested' } }), /'name' is a tracked object/);
    const many = Object.fromEntries(
      Array.from({ length: 33 }, (_, at) => [`key${at}`, { required: true }] as const),
    );
    assert.throws(tracking(many), /more than 32 tracked attributes/);
  });
});
