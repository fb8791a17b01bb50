import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import zlib from 'node:zlib';
import { hashContent } from '../../src/client/content-hash.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Yields the bytes in chunks that share one buffer, as when reading a file. */
async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(100_000);
  for (let at = 0; at < bytes.length; at += buffer.length)
    yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + buffer.length));
}

describe('content hash of a file', () => {
  const content = randomBytes(2_000_000);

  it('computes the same hash for content and its compressed forms', async () => {
    for (const bytes of [content, zlib.gzipSync(content), zlib.zstdCompressSync(content)])
      assert.deepEqual(await hashContent(pieces(bytes)), {
        sha256: sha256(content),
        bytes: bytes.length,
        compressed: bytes !== content,
      });
  });

  for (const [description, damaged] of [
    ['truncated gzip data', zlib.gzipSync(content).subarray(0, 1_500_000)],
    ['truncated zstd data', zlib.zstdCompressSync(content).subarray(0, 1_500_000)],
    ['damaged, gzip', Buffer.concat([Buffer.from('1f8b0800', 'hex'), content])],
    ['damaged, zstd', Buffer.concat([Buffer.from('28b52ffd', 'hex'), content])],
  ] as const)
    it(`hashes the raw file bytes if the file contains ${description}`, async () => {
      const { sha256: hash, bytes } = await hashContent(pieces(damaged));
      assert.deepEqual([hash, bytes], [sha256(damaged), damaged.length]);
    });
});
