import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { constants, createZstdCompress, gzipSync, zstdCompressSync } from 'node:zlib';
import { arrayFile } from './support/array-file.ts';
import { type Client, createClient } from './support/client.ts';
import { assertOutcome, findingsOf } from './support/job-outcome.ts';
import { joinService, type SharedService } from './support/lanes.ts';
import { filePart, MULTIPART_TYPE, multipart } from './support/multipart.ts';
import { streamUpload } from './support/open-request.ts';
import { record } from './support/records.ts';
import { assertRefusedWithoutTrace } from './support/refusal.ts';

const uids = Array.from({ length: 40 }, (_, index) => `finding-${index}`);
const file = Buffer.from(arrayFile(uids.map((uid) => record({ finding_info: { uid } }))).bytes);
const [head, middle, tail] = [file.subarray(0, 5000), file.subarray(5000, 9000), file.subarray(9000)];

const zstd = (content: Buffer, checksum = 0) =>
  zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: checksum } });
const skippable = (magic: number, content: string) => {
  const frame = Buffer.alloc(8 + content.length);
  frame.writeUInt32LE(magic, 0);
  frame.writeUInt32LE(content.length, 4);
  frame.write(content, 8);
  return frame;
};
const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
};
/** Single bytes, but not more than a few thousand pieces. */
const piecesOf = (bytes: Buffer) => {
  const size = Math.ceil(bytes.length / 5000);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, at * size + size),
  );
};
/** One frame of the same content in blocks of every type: compressed, raw (noise) and run-length (spaces). */
const noise = Buffer.from(
  Array.from({ length: 300_000 }, (_, index) => 33 + (((index * 7919) ^ (index >> 3)) % 90)),
);

describe('a compressed upload', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const good: readonly (readonly [what: string, file: Buffer])[] = [
    ['gzip', gzipSync(file)],
    ['gzip of several members', Buffer.concat([gzipSync(head), gzipSync(middle), gzipSync(tail)])],
    ['gzip with an empty member', Buffer.concat([gzipSync(''), gzipSync(file), gzipSync('')])],
    [
      'gzip padded with zeros, as tapes and gzip itself allow',
      Buffer.concat([gzipSync(file), Buffer.alloc(1024)]),
    ],
    ['zstd without a checksum', zstd(file)],
    ['zstd with a checksum', zstd(file, 1)],
    ['zstd of several frames', Buffer.concat([zstd(head), zstd(middle, 1), zstd(tail)])],
    [
      'zstd with an empty frame',
      Buffer.concat([zstd(Buffer.alloc(0)), zstd(file), zstd(Buffer.alloc(0), 1)]),
    ],
    [
      'zstd with skippable frames around and between its frames',
      Buffer.concat([
        skippable(0x184d2a50, 'before'),
        zstd(head),
        skippable(0x184d2a5f, ''),
        skippable(0x184d2a53, zstd(middle).toString('latin1')),
        zstd(Buffer.concat([middle, tail]), 1),
        skippable(0x184d2a50, 'x'.repeat(5000)),
      ]),
    ],
    ['nothing', file],
  ];
  for (const [what, compressed] of good) {
    it(`of ${what} is its content`, async () => {
      const job = await client.ingest(new Uint8Array(compressed));
      await assertOutcome(client, job, { total: uids.length, invalid: 0, errors: [] });
      assert.deepEqual(
        (await findingsOf(service, job)).map(({ uid }) => uid),
        uids,
      );
      assert.deepEqual([job.meta.received_bytes, job.meta.bytes], [compressed.length, file.length]);
    });

    it(`of ${what} is its content also where it comes in tiny pieces`, async () => {
      const { status, body } = await streamUpload(service, piecesOf(compressed));
      assert.equal(status, 202);
      const job = await client.ended(body.data.id);
      await assertOutcome(client, job, { total: uids.length, invalid: 0, errors: [] });
      assert.deepEqual([job.meta.received_bytes, job.meta.bytes], [compressed.length, file.length]);
    });
  }

  it('of zstd may have blocks of every kind', async () => {
    const text = JSON.stringify(record({ message: noise.toString('latin1') }));
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

  const refused = async (bytes: Buffer, code: string, detail: RegExp) => {
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

  const gz = gzipSync(file);
  const zst = zstd(file, 1);
  const broken: readonly (readonly [what: string, file: Buffer])[] = [
    ['gzip with a wrong checksum', flipped(gz, gz.length - 6)],
    ['gzip with a wrong length', flipped(gz, gz.length - 2)],
    ['gzip with a flipped byte', flipped(gz, 100)],
    ['gzip that is cut off in its data', gz.subarray(0, 200)],
    ['gzip that is cut off in its checksum', gz.subarray(0, -2)],
    [
      'gzip that is cut off in its second member',
      Buffer.concat([gzipSync(head), gzipSync(tail).subarray(0, -30)]),
    ],
    ['gzip and garbage after it', Buffer.concat([gz, Buffer.from('garbage')])],
    ['gzip and much garbage after it', Buffer.concat([gz, Buffer.alloc(2_000_000, 'x')])],
    ['gzip and another gzip behind zeros', Buffer.concat([gz, Buffer.alloc(100), gz])],
    ['gzip of nothing but its first bytes', gz.subarray(0, 3)],
    ['zstd with a wrong checksum', flipped(zst, zst.length - 1)],
    ['zstd with a flipped byte', flipped(zst, 100)],
    ['zstd that is cut off in its data', zst.subarray(0, 200)],
    ['zstd that is cut off in its checksum', zst.subarray(0, -2)],
    ['zstd that is cut off before its checksum', zst.subarray(0, -4)],
    ['zstd that is cut off in its second frame', Buffer.concat([zstd(head), zstd(tail).subarray(0, -30)])],
    [
      'zstd that is cut off in a skippable frame',
      Buffer.concat([zst, skippable(0x184d2a50, 'abc').subarray(0, -1)]),
    ],
    ['zstd and garbage after it', Buffer.concat([zst, Buffer.from('garbage')])],
    ['zstd and gzip after it', Buffer.concat([zst, gz])],
    ['zstd of nothing but its first bytes', zst.subarray(0, 4)],
    ['zstd of nothing but a skippable frame', skippable(0x184d2a50, 'nothing')],
  ];
  for (const [what, bytes] of broken) {
    it(`of ${what} is refused`, () =>
      refused(bytes, 'invalid_compression', /compressed data is damaged or cut off/));
  }

  it('of zstd that needs more than 32 MiB of memory is refused, and says what to do', async () => {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 26 } });
    compress.end(file);
    await refused(
      await buffer(compress),
      'invalid_compression',
      /window of more than 32 MiB; use zstd without --long/,
    );
  });

  it('of nothing is refused as empty', async () => {
    for (const empty of [gzipSync(''), zstd(Buffer.alloc(0)), zstd(Buffer.alloc(0), 1)])
      await refused(empty, 'empty_file', /is empty/);
  });
});
