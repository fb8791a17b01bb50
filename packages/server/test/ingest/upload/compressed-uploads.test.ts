import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { constants, createZstdCompress, gzipSync } from 'node:zlib';
import { type Client, createClient } from '../../support/client.ts';
import { DAMAGED, file, INTACT, uids, zstd } from '../../support/compressed-files.ts';
import { assertOutcome, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { filePart, MULTIPART_TYPE, multipart } from '../../support/multipart.ts';
import { streamUpload } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { assertRefusedWithoutTrace } from '../../support/refusal.ts';

/** Each file exercises a different code path of the service; `inflate.test.ts` covers all forms. */
const UPLOADED = [
  'gzip',
  'gzip with several members',
  'zstd with a checksum',
  'zstd with skippable frames around and between its frames',
  'no compression',
];
const REJECTED = [
  'gzip with a wrong checksum',
  'gzip truncated in its data',
  'gzip followed by 2 MB of garbage',
  'zstd with a flipped byte',
  'zstd truncated in its second frame',
  'zstd with only a skippable frame',
];
const filesNamed = (files: typeof INTACT, names: readonly string[]) => {
  const found = files.filter(([name]) => names.includes(name));
  assert.equal(found.length, names.length);
  return found;
};

/** Splits the data into single bytes, or into a few thousand pieces if there are more bytes. */
const piecesOf = (bytes: Buffer) => {
  const size = Math.ceil(bytes.length / 5000);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, at * size + size),
  );
};
/** Data that zstd stores as raw blocks, in addition to compressed blocks and run-length blocks of spaces. */
const incompressible = Buffer.from(
  Array.from({ length: 300_000 }, (_, index) => 33 + (((index * 7919) ^ (index >> 3)) % 90)),
);

describe('compressed uploads', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  for (const [description, compressed] of filesNamed(INTACT, UPLOADED)) {
    it(`ingests an upload with ${description}`, async () => {
      const job = await client.ingest(new Uint8Array(compressed));
      await assertOutcome(client, job, { total: uids.length, invalid: 0, errors: [] });
      assert.deepEqual(
        (await findingsOf(service, job)).map(({ uid }) => uid),
        uids,
      );
      assert.deepEqual([job.meta.received_bytes, job.meta.bytes], [compressed.length, file.length]);
    });
  }

  for (const [description, compressed] of filesNamed(INTACT, [
    'gzip',
    'zstd with a checksum',
    'no compression',
  ])) {
    it(`ingests an upload with ${description} that arrives in tiny pieces`, async () => {
      const { status, body } = await streamUpload(service, piecesOf(compressed));
      assert.equal(status, 202);
      const job = await client.ended(body.data.id);
      await assertOutcome(client, job, { total: uids.length, invalid: 0, errors: [] });
      assert.deepEqual([job.meta.received_bytes, job.meta.bytes], [compressed.length, file.length]);
    });
  }

  it('ingests a zstd upload with blocks of every type', async () => {
    const text = JSON.stringify(record({ message: incompressible.toString('latin1') }));
    const content = Buffer.concat([
      Buffer.alloc(400_000, ' '),
      Buffer.from(`[${text}`),
      Buffer.alloc(400_000, '\n'),
      Buffer.from(']'),
    ]);
    const job = await client.ingest(new Uint8Array(zstd(content, 1)));
    await assertOutcome(client, job, { total: 1, invalid: 0, errors: [] });
    assert.equal(job.meta.bytes, content.length);
  });

  const assertRejected = async (bytes: Buffer, code: string, detail: RegExp) => {
    const send = () =>
      client.send('/ingestions', {
        method: 'POST',
        body: multipart([filePart(bytes)]),
        headers: { 'content-type': MULTIPART_TYPE },
      });
    await assertRefusedWithoutTrace(service, send, {
      status: 400,
      code,
      detail,
      source: { pointer: '/file' },
    });
  };

  for (const [description, bytes] of filesNamed(DAMAGED, REJECTED)) {
    it(`rejects an upload with ${description}`, () =>
      assertRejected(bytes, 'invalid_compression', /compressed data is damaged or truncated/));
  }

  it('rejects a zstd upload that needs more than 32 MiB of memory, and suggests a remedy', async () => {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 26 } });
    compress.end(file);
    await assertRejected(
      await buffer(compress),
      'invalid_compression',
      /window of more than 32 MiB\. Compress it without --long/,
    );
  });

  it('rejects a compressed upload without content as empty', async () => {
    for (const empty of [gzipSync(''), zstd(Buffer.alloc(0)), zstd(Buffer.alloc(0), 1)])
      await assertRejected(empty, 'empty_file', /is empty/);
  });
});
