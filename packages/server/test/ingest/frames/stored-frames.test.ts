import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { arrayFile } from '../../support/array-file.ts';
import { type Client, createClient } from '../../support/client.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { assertOutcome, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { STORED_FINDINGS } from '../../support/stored-findings.ts';
import { readStored } from '../../support/stored-frames.ts';

const MIB = 2 ** 20;
const FRAME_RECORDS = 5000;
/** A frame ends with the first record that ends beyond 12 MiB. A record has at most 4 MiB. */
const FRAME_MAX_BYTES = 16 * MIB;

describe('stored frames of an upload', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const numbered = (index: number, members: Record<string, unknown> = {}) =>
    record({ finding_info: { uid: `finding-${index}` }, ...members });
  /** Uploads a file and asserts that its frames contain the file byte for byte. */
  const storeFile = async (file: Uint8Array<ArrayBuffer>) => {
    const job = await client.ingest(file);
    const upload = await readStored(service, job);
    assert.ok(upload.content.equals(file), 'the content of the frames differs from the file');
    return { job, ...upload };
  };

  it('stores a small file byte for byte in one frame', async () => {
    const { frames } = await storeFile(arrayFile([numbered(1), numbered(2)]).bytes);
    assert.deepEqual(
      frames.map(({ records }) => records),
      [2],
    );
  });

  it('stores an invalid file byte for byte', async () => {
    for (const text of [
      ' \r\n\t',
      'no JSON',
      `\ufeff[${JSON.stringify(numbered(1))}, `,
      `[${JSON.stringify(numbered(1))}] and more`,
      `[1, "x", nonsense,]`,
    ])
      await storeFile(Buffer.from(text));
    await storeFile(Buffer.from([0xff, 0xfe, 0x5b, 0x00, 0x80]));
  });

  it('splits a file into frames of 5,000 records and stores the byte position of each record', async () => {
    const total = 2 * FRAME_RECORDS + 2001;
    const invalidIndexes = new Set([0, FRAME_RECORDS - 1, FRAME_RECORDS, total - 1]);
    const { bytes, offsets } = arrayFile(
      Array.from({ length: total }, (_, index) => (invalidIndexes.has(index) ? '"bad"' : numbered(index))),
    );
    const { job, frames } = await storeFile(bytes);
    assert.deepEqual(
      frames.map(({ records }) => records),
      [FRAME_RECORDS, FRAME_RECORDS, 2001],
    );
    const error = { code: 'invalid_type', pointer: '', finding_uid: null, detail: /the string "bad"/ };
    const errors = [...invalidIndexes].map((index) => ({
      ...error,
      record_index: index,
      byte_offset: offsets[index] ?? 0,
    }));
    await assertOutcome(client, job, { total, invalid: invalidIndexes.size, errors });
    const findings = await findingsOf(service, job);
    assert.deepEqual(
      findings.map(({ uid, record_index }) => [uid, record_index]),
      offsets.flatMap((_, index) => (invalidIndexes.has(index) ? [] : [[`finding-${index}`, index]])),
    );
    const records = await service.sql<{ uid: string; start: number; bytes: number }>(
      `select f.uid, f.record_bytes as bytes, fr.byte_offset::int + f.record_offset as start
       from ${STORED_FINDINGS} f join frames fr on fr.ingestion_id = f.ingestion_id and fr.number = f.frame
       where f.ingestion_id = $1`,
      [job.id],
    );
    assert.equal(records.length, total - invalidIndexes.size);
    const content = Buffer.from(bytes);
    for (const { uid, start, bytes: length } of records) {
      const index = Number(uid.slice('finding-'.length));
      assert.equal(start, offsets[index]);
      assert.equal(content.toString('utf8', start, start + length), JSON.stringify(numbered(index)));
    }
  });

  it('splits a file with large records into frames of bounded size', async () => {
    const large = { message: 'x'.repeat(3 * MIB) };
    const file = arrayFile(Array.from({ length: 12 }, (_, index) => numbered(index, large))).bytes;
    const { job, frames } = await storeFile(file);
    await assertOutcome(client, job, { total: 12, invalid: 0, errors: [] });
    assert.ok(frames.length > 1);
    for (const { bytes } of frames) assert.ok(bytes <= FRAME_MAX_BYTES, `a frame has ${bytes} bytes`);
  });

  itInWholeRun(
    'splits a file with large gaps or an oversized record into frames of bounded size',
    async () => {
      const spaces = ' '.repeat(30 * MIB);
      const { bytes, offsets } = arrayFile([numbered(1), `{"message": "${spaces}"}`, numbered(2)], {
        start: `${spaces}[`,
        end: `${spaces}]`,
      });
      const { job, frames } = await storeFile(bytes);
      const error = { code: 'record_too_large', pointer: null, finding_uid: null, detail: /31457295 bytes/ };
      const errors = [{ ...error, record_index: 1, byte_offset: offsets[1] ?? 0 }];
      await assertOutcome(client, job, { total: 3, invalid: 1, errors });
      for (const { bytes } of frames) assert.ok(bytes <= FRAME_MAX_BYTES, `a frame has ${bytes} bytes`);
    },
  );

  it('stores the decompressed content of gzip and zstd uploads', async () => {
    const file = arrayFile(Array.from({ length: 6000 }, (_, index) => numbered(index))).bytes;
    for (const compressed of [gzipSync(file), zstdCompressSync(file)]) {
      const job = await client.ingest(compressed);
      const { content, frames } = await readStored(service, job);
      assert.ok(content.equals(file));
      assert.equal(frames.length, 2);
      assert.deepEqual([job.meta.received_bytes, job.meta.bytes], [compressed.length, file.length]);
    }
  });

  itInWholeRun('stores a zstd blob that can be uploaded again', async () => {
    const file = arrayFile(Array.from({ length: 6000 }, (_, index) => numbered(index))).bytes;
    const { blob } = await storeFile(file);
    const repeated = await client.ingest(blob);
    assert.equal(repeated.attributes.summary.total, 6000);
    assert.ok((await readStored(service, repeated)).content.equals(file));
  });

  it('stores a blob that the zstd tool decompresses', {
    skip: !hasZstd() && 'zstd is not installed',
  }, async () => {
    const file = arrayFile(Array.from({ length: 6000 }, (_, index) => numbered(index))).bytes;
    const { path } = await storeFile(file);
    const options = { encoding: 'buffer', maxBuffer: 2 * file.length } as const;
    const { stdout } = await promisify(execFile)('zstd', ['-d', '-c', path], options);
    assert.ok(stdout.equals(file));
  });
});

function hasZstd(): boolean {
  try {
    execFileSync('zstd', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
