import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { arrayFile, type Element } from '../../support/array-file.ts';
import { type Client, createClient } from '../../support/client.ts';
import { assertOutcome, type ExpectedError, fileError, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { streamUpload } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';

const MIB = 2 ** 20;
const first = record({ finding_info: { uid: 'first' } });
const last = record({ finding_info: { uid: 'last' } });
const NO_FINDINGS = fileError('no_detection_findings', 0, /contains no Detection Findings/);

/** The expected error of an invalid record, except for its position. */
interface Problem extends Pick<ExpectedError, 'code' | 'detail'> {
  readonly pointer?: string;
}

describe('unreadable records', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  /** Uploads the invalid elements between two valid records and asserts one error per element, at its position. */
  async function rejects(bad: readonly (readonly [element: Element, problem: Problem])[]): Promise<void> {
    const { bytes, offsets } = arrayFile([first, ...bad.map(([element]) => element), last]);
    const job = await client.ingest(bytes);
    const errors = bad.map(([, { code, detail, pointer = null }], index) => ({
      code,
      detail,
      pointer,
      record_index: index + 1,
      byte_offset: offsets[index + 1] ?? 0,
      finding_uid: null,
    }));
    await assertOutcome(client, job, { total: bad.length + 2, invalid: bad.length, errors });
    const stored = await findingsOf(service, job);
    assert.deepEqual(
      stored.map(({ uid, record_index }) => [uid, record_index]),
      [
        ['first', 0],
        ['last', bad.length + 1],
      ],
    );
  }

  it('rejects records that are not objects and keeps the other records', async () => {
    const isNot = (message: RegExp) => ({ code: 'invalid_type', pointer: '', detail: message });
    await rejects([
      ['1', isNot(/Expected an object, got the number 1/)],
      ['"a, ]b"', isNot(/got the string "a, \]b"/)],
      ['null', isNot(/got null/)],
      ['true', isNot(/got the boolean true/)],
      [JSON.stringify([first]), isNot(/got an array/)],
      ['[]', isNot(/got an array/)],
    ]);
  });

  it('rejects records that are not valid JSON and keeps the other records', async () => {
    const invalid = (detail: RegExp) => ({ code: 'invalid_json', detail });
    await rejects([
      ['{"class_uid" 2004}', invalid(/not valid JSON: Expected ':'/)],
      ["{'class_uid': 2004}", invalid(/not valid JSON/)],
      ['{"class_uid": 02004}', invalid(/not valid JSON/)],
      ['{"class_uid": 2004,}', invalid(/not valid JSON/)],
      ['{"class_uid": NaN}', invalid(/not valid JSON/)],
      ['{"a": "line\nbreak"}', invalid(/not valid JSON: Bad control character/)],
      ['{"a": "\\x41"}', invalid(/not valid JSON: Bad escaped character/)],
      ['{"a": \0}', invalid(/not valid JSON: Unexpected token '\ufffd'/)],
      ['{"a": "\0"}', invalid(/not valid JSON/)],
      ['nonsense', invalid(/not valid JSON/)],
      ['{"é€𝄞": }', invalid(/not valid JSON/)],
    ]);
  });

  it('rejects records that are not valid UTF-8 and keeps the other records', async () => {
    const invalid = { code: 'invalid_json', detail: /The record is not valid UTF-8/ };
    const withText = (...bytes: number[]) =>
      Buffer.concat([Buffer.from('{"class_uid": 2004, "message": "'), Buffer.from(bytes), Buffer.from('"}')]);
    await rejects([
      // Latin-1, a truncated character, an overlong encoding, a surrogate, and a code point above U+10FFFF.
      [withText(0xe9), invalid],
      [withText(0xe2, 0x82), invalid],
      [withText(0xc0, 0x80), invalid],
      [withText(0xed, 0xa0, 0x80), invalid],
      [withText(0xf4, 0x90, 0x80, 0x80), invalid],
    ]);
  });

  it('rejects records nested deeper than 100 levels and keeps the other records', async () => {
    const nested = (open: string, close: string, levels: number) =>
      `{"class_uid": 2004, "unmapped": ${open.repeat(levels)}1${close.repeat(levels)}}`;
    const tooDeep = { code: 'record_too_deep', detail: /exceeds the maximum nesting depth of 100 levels/ };
    await rejects([
      [nested('[', ']', 10_000), tooDeep],
      [nested('{"a":', '}', 10_000), tooDeep],
      [nested('[', ']', 100), tooDeep],
      ['['.repeat(101) + ']'.repeat(101), tooDeep],
      // Records at the maximum depth are parsed, and then rejected for a different reason.
      [nested('[', ']', 99), { code: 'required', pointer: '/finding_info/uid', detail: /finding_info/ }],
    ]);
  });

  it('rejects records with more than 50,000 keys and keeps the other records', async () => {
    const withKeys = (keys: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${key}`, 0])));
    await rejects([
      [withKeys(50_001), { code: 'record_too_many_keys', detail: /exceeds the maximum of 50000 keys/ }],
      [withKeys(50_000), { code: 'unsupported_class', pointer: '/class_uid', detail: /no class_uid/ }],
    ]);
  });

  it('rejects records larger than 4 MiB and keeps the other records', async () => {
    const ofLength = (bytes: number) => {
      const empty = '{"class_uid": 2003, "message": ""}';
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    };
    await rejects([
      [
        ofLength(4 * MIB + 1),
        { code: 'record_too_large', detail: /4194305 bytes long; the maximum is 4194304/ },
      ],
      [`"${'x'.repeat(5 * MIB)}"`, { code: 'record_too_large', detail: /5242882 bytes/ }],
      [ofLength(4 * MIB), { code: 'unsupported_class', pointer: '/class_uid', detail: /2003/ }],
    ]);
  });

  it('rejects a record with a string of 100 MiB and keeps the other records', async () => {
    function* file() {
      yield `[${JSON.stringify(first)},{"class_uid":2004,"message":"`;
      for (let sent = 0; sent < 100; sent++) yield Buffer.alloc(MIB, 'x');
      yield `"},${JSON.stringify(last)}]`;
    }
    const { status, body } = await streamUpload(service, file());
    assert.equal(status, 202);
    const job = await client.ended(body.data.id);
    const error = {
      code: 'record_too_large',
      record_index: 1,
      byte_offset: `[${JSON.stringify(first)},`.length,
      pointer: null,
      finding_uid: null,
      detail: /104857631 bytes/,
    };
    await assertOutcome(client, job, { total: 3, invalid: 1, errors: [error] });
    const stored = await findingsOf(service, job);
    assert.deepEqual(
      stored.map(({ uid }) => uid),
      ['first', 'last'],
    );
  });

  it('reports a file error when a file contains only unreadable records', async () => {
    const { bytes, offsets } = arrayFile(['1', '{"a" 1}']);
    const at = (index: number) => ({
      record_index: index,
      byte_offset: offsets[index] ?? 0,
      finding_uid: null,
    });
    await assertOutcome(client, await client.ingest(bytes), {
      total: 2,
      invalid: 2,
      errors: [
        NO_FINDINGS,
        { ...at(0), code: 'invalid_type', pointer: '', detail: /Expected an object/ },
        { ...at(1), code: 'invalid_json', pointer: null, detail: /not valid JSON/ },
      ],
    });
  });

  it('counts byte offsets from the start of a file that begins with a byte order mark', async () => {
    const { bytes, offsets } = arrayFile([first, '1', last], { start: '\ufeff [' });
    const job = await client.ingest(bytes);
    const error = {
      code: 'invalid_type',
      record_index: 1,
      byte_offset: offsets[1] ?? 0,
      pointer: '',
      finding_uid: null,
    };
    assert.equal(bytes[error.byte_offset], '1'.charCodeAt(0));
    await assertOutcome(client, job, { total: 3, invalid: 1, errors: [{ ...error, detail: /number 1/ }] });
  });
});
