import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inflate } from '../../../src/ingest/upload/inflate.ts';
import { ApiError } from '../../../src/jsonapi/errors.ts';
import { DAMAGED, file, INTACT, skippable, zstd } from '../../support/compressed-files.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('upload decompression', () => {
  for (const [description, bytes] of INTACT) {
    it(`decompresses ${description}, received in one piece or in single bytes`, async () => {
      for (const size of [bytes.length, 1])
        assert.ok((await buffer(inflate(inPieces(bytes, size)))).equals(file), `in pieces of ${size}`);
    });
  }

  for (const [description, bytes] of DAMAGED) {
    it(`rejects ${description}, received in one piece or several pieces`, async () => {
      for (const size of [bytes.length, Math.ceil(bytes.length / 5000)]) {
        await assert.rejects(buffer(inflate(inPieces(bytes, size))), (error) => {
          assert.ok(error instanceof ApiError);
          const { status, code, source } = error;
          assert.deepEqual([status, code, source], [400, 'invalid_compression', { pointer: '/file' }]);
          assert.match(error.message, /compressed data is damaged or truncated/);
          return true;
        });
      }
    });
  }

  it('decompresses any sequence of zstd frames in chunks of any size', async () => {
    const frame = fc.oneof(
      fc.constant({ bytes: skippable(0x184d2a50, 'left out'), content: '' }),
      fc
        .tuple(fc.string({ maxLength: 40 }), fc.nat(3000), fc.integer({ min: 0, max: 1 }))
        .map(([text, repeats, checksum]) => {
          const content = text.repeat(repeats);
          return { bytes: zstd(Buffer.from(content), checksum), content };
        }),
    );
    const frames = fc.array(frame, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(frames, fc.integer({ min: 1, max: 4000 }), async (frames, size) => {
        const bytes = Buffer.concat([zstd(Buffer.from('[')), ...frames.map((each) => each.bytes)]);
        const inflated = await buffer(inflate(inPieces(bytes, size)));
        assert.equal(inflated.toString(), `[${frames.map(({ content }) => content).join('')}`);
      }),
      { numRuns: isWholeRun ? 200 : 50 },
    );
  });

  for (const [description, frame] of [
    ['empty', zstd(Buffer.alloc(0))],
    ['skippable', skippable(0x184d2a50, '')],
    ['single-byte', zstd(Buffer.from(' '))],
  ] as const) {
    it(`rejects 99,000 ${description} zstd frames after reading at most 20,000 frames`, async () => {
      let read = 0;
      async function* upload() {
        yield zstd(file);
        for (; read < 99_000; read += 1000) yield Buffer.concat(Array<Buffer>(1000).fill(frame));
      }
      await assert.rejects(
        buffer(inflate(upload())),
        /\d+ zstd frames in \d+ bytes\. Compress the whole file in one pass/,
      );
      assert.ok(read <= 20_000, `${read} frames were read`);
    });
  }

  it('accepts 12,000 zstd frames of 1 KiB', async () => {
    const content = randomBytes(1024);
    const frames = Array<Buffer>(12_000).fill(zstd(content));
    const inflated = await buffer(inflate(inPieces(Buffer.concat(frames), 65_536)));
    assert.equal(inflated.length, 12_000 * 1024);
  });
});
