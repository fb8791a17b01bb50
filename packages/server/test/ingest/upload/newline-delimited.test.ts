import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Client, createClient } from '../../support/client.ts';
import { assertOutcome, type ExpectedError, fileError, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

const line = (uid: string) => JSON.stringify(record({ finding_info: { uid } }));
const linesOf = (...lines: readonly string[]) => lines.map((text) => `${text}\n`).join('');

describe('an upload of newline-delimited JSON', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  it('ingests each line of newline-delimited JSON, compressed or not', async () => {
    const text = `\ufeff\r\n ${linesOf(line('one'), '', ` ${line('two')}\r`)}${line('three')}`;
    for (const file of [Buffer.from(text), gzipSync(text), zstdCompressSync(text)]) {
      const job = await client.ingest(file);
      await assertOutcome(client, job, { total: 3, invalid: 0, errors: [] });
      const stored = await findingsOf(service, job);
      assert.deepEqual(
        stored.map(({ uid }) => uid),
        ['one', 'two', 'three'],
      );
    }
  });

  it('reports a line of newline-delimited JSON that is not valid, and ingests the others', async () => {
    const before = linesOf(line('one'));
    const bad = ['{"class_uid":2004,', `${line('two')} ${line('three')}`, ']', '\u0000'];
    const job = await client.ingest(before + linesOf(...bad, line('four')));
    let byteOffset = before.length;
    const errors = bad.map((text, at): ExpectedError => {
      const error = fileError('invalid_json', byteOffset, /JSON/);
      byteOffset += text.length + 1;
      return { ...error, record_index: at + 1 };
    });
    await assertOutcome(client, job, { total: 6, invalid: 4, errors });
    const stored = await findingsOf(service, job);
    assert.deepEqual(
      stored.map(({ uid }) => uid),
      ['one', 'four'],
    );
  });

  it('returns the submitted line of a finding from newline-delimited JSON', async () => {
    const job = await client.ingest(linesOf(line('before'), line('submitted')));
    const { body } = await client.get<{ attributes: { raw: string } }>(`/ingestions/${job.id}/records/1`);
    assert.equal(body.data.attributes.raw, line('submitted'));
  });

  it('rejects a file whose first line is not an object that ends with a line feed', async () => {
    for (const text of [
      line('one'),
      `${JSON.stringify(record(), null, 2)}\n`,
      `${line('one')},\n${line('two')}\n`,
    ]) {
      const job = await client.ingest(text);
      const hint =
        /found '\{' at byte 0\. Enclose the records in \[ \], or write each on one line that ends with a line feed/;
      await assertOutcome(client, job, {
        total: 0,
        invalid: 0,
        errors: [fileError('not_an_array', 0, hint)],
      });
    }
  });
});
