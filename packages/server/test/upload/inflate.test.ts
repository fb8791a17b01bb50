import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/jsonapi/errors.ts';
import { inflate } from '../../src/upload/inflate.ts';
import { DAMAGED, file, INTACT } from '../support/compressed-files.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('inflating a compressed file', () => {
  for (const [what, bytes] of INTACT) {
    it(`inflates ${what}, received whole or in single bytes`, async () => {
      for (const size of [bytes.length, 1])
        assert.ok((await buffer(inflate(inPieces(bytes, size)))).equals(file), `in pieces of ${size}`);
    });
  }

  for (const [what, bytes] of DAMAGED) {
    it(`rejects ${what}, received whole or in pieces`, async () => {
      for (const size of [bytes.length, Math.ceil(bytes.length / 5000)]) {
        await assert.rejects(buffer(inflate(inPieces(bytes, size))), (error) => {
          assert.ok(error instanceof ApiError);
          const { status, code, source } = error;
          assert.deepEqual([status, code, source], [400, 'invalid_compression', { pointer: '/file' }]);
          assert.match(error.message, /compressed data is damaged or cut off/);
          return true;
        });
      }
    });
  }
});
