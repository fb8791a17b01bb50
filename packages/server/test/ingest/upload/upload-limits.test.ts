import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import { type ApiResponse, type Client, createClient } from '../../support/client.ts';
import { filePart, MULTIPART_TYPE, multipart } from '../../support/multipart.ts';
import { openUpload, streamUpload } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { assertRefusedWithoutTrace } from '../../support/refusal.ts';
import { type Service, startService } from '../../support/service.ts';

const MIB = 2 ** 20;
const RECEIVED_MAX = MIB;
const INFLATED_MAX = 8 * MIB;
/** The service may read at most one chunk beyond a limit before it detects the excess. */
const CHUNK = MIB / 4;
const BOMB = 40 * MIB;

describe('upload size limits', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({
      SLUICE_UPLOAD_MAX_BYTES: String(RECEIVED_MAX),
      SLUICE_INFLATED_MAX_BYTES: String(INFLATED_MAX),
    });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  /** Asserts a 413 without side effects that names this limit and the observed size. Returns that size. */
  async function assertTooLarge(
    send: () => Promise<ApiResponse<unknown>>,
    { limit, max }: { readonly limit: string; readonly max: number },
  ): Promise<number> {
    const { meta, detail } = await assertRefusedWithoutTrace(service, send, {
      status: 413,
      code: 'upload_too_large',
      detail: new RegExp(`at least \\d+ bytes .*; the maximum is ${max} bytes`),
      source: { pointer: '/file' },
    });
    const size = Number(meta?.seen);
    assert.deepEqual(meta, { limit, max, seen: size });
    assert.match(detail, new RegExp(`at least ${size} bytes`));
    assert.ok(size > max, `${size} bytes are within the limit`);
    return size;
  }
  const received = { limit: 'upload_max_bytes', max: RECEIVED_MAX };
  const inflated = { limit: 'inflated_max_bytes', max: INFLATED_MAX };
  const fileOf = (bytes: number) => JSON.stringify([record()]).padEnd(bytes, ' ');
  const post = (file: string | Uint8Array) =>
    client.send('/ingestions', {
      method: 'POST',
      body: multipart([filePart(file)]),
      headers: { 'content-type': MULTIPART_TYPE },
    });

  it('returns the configured upload size limits from /limits', async () => {
    const { body } = await client.get<{ attributes: Record<string, unknown> }>('/limits');
    const { upload_max_bytes, inflated_max_bytes } = body.data.attributes;
    assert.deepEqual([upload_max_bytes, inflated_max_bytes], [RECEIVED_MAX, INFLATED_MAX]);
  });

  it('accepts a file of exactly the maximum upload size and rejects a file with one more byte', async () => {
    const job = await client.ingest(fileOf(RECEIVED_MAX));
    assert.equal(job.attributes.status, 'completed');
    await assertTooLarge(() => post(fileOf(RECEIVED_MAX + 1)), received);
  });

  it('accepts a file of exactly the maximum decompressed size and rejects a file with one more byte', async () => {
    const job = await client.ingest(new Uint8Array(await promisify(gzip)(fileOf(INFLATED_MAX))));
    assert.equal(job.attributes.status, 'completed');
    const oneMore = await promisify(gzip)(fileOf(INFLATED_MAX + 1));
    await assertTooLarge(() => post(oneMore), inflated);
  });

  it('rejects a Content-Length above the upload limit before the body is sent', async () => {
    const length = 20 * MIB;
    const send = async () => {
      const { request, response } = openUpload(service, { 'content-length': String(length) });
      request.flushHeaders();
      try {
        return await response;
      } finally {
        request.destroy();
      }
    };
    assert.equal(await assertTooLarge(send, received), length);
  });

  it('rejects a chunked body once it exceeds the upload limit and lets the client read the response', async () => {
    const send = () =>
      streamUpload(
        service,
        Array.from({ length: 8 }, () => Buffer.alloc(MIB, ' ')),
      );
    const size = await assertTooLarge(send, received);
    assert.ok(size <= RECEIVED_MAX + CHUNK, `${size} bytes were read`);
  });

  for (const [description, fill] of [
    ['spaces', ' '],
    ['opening brackets', '['],
  ] as const) {
    for (const [format, compress] of [
      ['gzip', promisify(gzip)],
      ['zstd', promisify(zstdCompress)],
    ] as const) {
      it(`stops decompressing a ${format} bomb of ${description} at the decompressed size limit`, async () => {
        const bomb = await compress(Buffer.concat([Buffer.from('['), Buffer.alloc(BOMB, fill)]));
        assert.ok(bomb.length < RECEIVED_MAX);
        const size = await assertTooLarge(() => post(bomb), inflated);
        assert.ok(size <= INFLATED_MAX + CHUNK, `${size} bytes were decompressed`);
      });
    }
  }

  it('ingests an upload after rejecting oversized uploads', async () => {
    assert.equal((await client.ingest([record()])).attributes.status, 'completed');
  });
});
