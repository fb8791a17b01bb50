import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { arrayFile } from '../../support/array-file.ts';
import { type Client, createClient, type FileContent } from '../../support/client.ts';
import { assertOutcome, fileError, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

const one = record({ finding_info: { uid: 'one' } });
const two = record({ finding_info: { uid: 'two' } });
const three = record({ finding_info: { uid: 'three' } });
/** A record with characters of two, three and four bytes. */
const multibyte = record({ finding_info: { uid: 'wide', title: 'ü€𝄞' } });

describe('file-level errors', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  /** Asserts that the job fails with only this error, and that exactly these findings were ingested. */
  async function fails(
    file: FileContent,
    [code, byteOffset, detail]: readonly [code: string, byteOffset: number, detail: RegExp],
    uids: readonly string[] = [],
  ): Promise<void> {
    const job = await client.ingest(file);
    const errors = [fileError(code, byteOffset, detail)];
    await assertOutcome(client, job, { total: uids.length, invalid: 0, errors });
    const stored = await findingsOf(service, job);
    assert.deepEqual(
      stored.map(({ uid }) => uid),
      uids,
    );
  }

  it('keeps the complete records of a file that is truncated inside a record', async () => {
    const { bytes, offsets } = arrayFile([one, multibyte, three]);
    const truncated = bytes.slice(0, (offsets[2] ?? 0) + 50);
    const where = new RegExp(
      `ends at byte ${truncated.length} inside record 2, which starts at byte ${offsets[2]}`,
    );
    await fails(truncated, ['truncated', truncated.length, where], ['one', 'wide']);
  });

  it('reports a file that is truncated inside its only record', async () => {
    const truncated = arrayFile([one]).bytes.slice(0, 60);
    await fails(truncated, ['truncated', 60, /inside record 0/]);
  });

  it('keeps the complete records of a file that is truncated between records', async () => {
    const { bytes, offsets } = arrayFile([one, two]);
    const beforeSecond = bytes.slice(0, offsets[1]);
    await fails(beforeSecond, ['truncated', beforeSecond.length, /after 1 record,/], ['one']);
    const withoutEnd = arrayFile([one, two], { end: '' }).bytes;
    await fails(
      withoutEnd,
      ['truncated', withoutEnd.length, /after 2 records, before the array is closed/],
      ['one', 'two'],
    );
  });

  it('rejects a file that is a single string, number or null', async () => {
    await fails('"findings"', ['not_an_array', 0, /found '"' at byte 0/]);
    await fails('  42', ['not_an_array', 2, /found '4' at byte 2/]);
    await fails('null', ['not_an_array', 0, /found 'n' at byte 0/]);
  });

  it('rejects a file that is not JSON', () =>
    fails('check;status\n1;FAIL\n', ['not_an_array', 0, /found 'c' at byte 0/]));

  it('rejects a file that contains only whitespace', () =>
    fails(' \t\r\n'.repeat(100), ['not_an_array', 400, /only white space/]));

  it('rejects a file that contains only a byte order mark', () =>
    fails('\ufeff', ['not_an_array', 3, /only white space/]));

  it('rejects a file that is an empty array', async () => {
    await fails('[]', ['no_records', 0, /empty array/]);
    await fails('\n[ \r\n\t ]\n', ['no_records', 0, /empty array/]);
  });

  it('rejects a UTF-16 file with or without a byte order mark', async () => {
    const littleEndian = Buffer.from(JSON.stringify([one]), 'utf16le');
    const bigEndian = Buffer.from(littleEndian).swap16();
    const detail = /UTF-16 or UTF-32/;
    await fails(Buffer.concat([Buffer.of(0xff, 0xfe), littleEndian]), ['unsupported_encoding', 0, detail]);
    await fails(Buffer.concat([Buffer.of(0xfe, 0xff), bigEndian]), ['unsupported_encoding', 0, detail]);
    await fails(littleEndian, ['unsupported_encoding', 1, detail]);
    await fails(bigEndian, ['unsupported_encoding', 0, detail]);
  });

  it('keeps the records in the top-level array of a file and does not read data after the array', async () => {
    const { bytes } = arrayFile([one, two], { end: '\n] \n' });
    const second = arrayFile([three]).bytes;
    const detail = new RegExp(`data at byte ${bytes.length} after the end of the array.*was not read`);
    await fails(Buffer.concat([bytes, second]), ['trailing_data', bytes.length, detail], ['one', 'two']);
  });

  it('keeps the records before a missing comma in a file', async () => {
    const start = `[${JSON.stringify(one)} `;
    const detail = new RegExp(`Expected ',' or '\\]' after record 0, found '\\{' at byte ${start.length}`);
    await fails(`${start}${JSON.stringify(two)}]`, ['invalid_json', start.length, detail], ['one']);
  });

  it('keeps the records before an extra comma in a file', async () => {
    const start = `[${JSON.stringify(one)},`;
    await fails(
      `${start}]`,
      ['invalid_json', start.length, /Expected record 1, found '\]' at byte \d+/],
      ['one'],
    );
    await fails(`${start},${JSON.stringify(two)}]`, ['invalid_json', start.length, /found ','/], ['one']);
    await fails('[,]', ['invalid_json', 1, /Expected record 0, found ',' at byte 1/]);
  });

  it('keeps the records before a mismatched closing bracket in a file', async () => {
    const { bytes, offsets } = arrayFile([one, '{"class_uid": [2004}', three]);
    const at = (offsets[1] ?? 0) + '{"class_uid": [2004'.length;
    const detail = new RegExp(
      `Expected '\\]' in record 1, which starts at byte ${offsets[1]}, found '\\}' at byte ${at}`,
    );
    await fails(bytes, ['invalid_json', at, detail], ['one']);
  });
});
