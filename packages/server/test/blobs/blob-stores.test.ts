import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BLOB_STORE_MARKER, type BlobStore } from '../../src/blobs/blob-store.ts';
import { FileBlobStore } from '../../src/blobs/file-blob-store.ts';
import { S3BlobStore } from '../../src/blobs/s3-blob-store.ts';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';

const MIB = 2 ** 20;
let s3: S3Server;
let folder: string;
before(async () => {
  [process.env.AWS_ACCESS_KEY_ID, process.env.AWS_SECRET_ACCESS_KEY] = S3_SECRETS;
  process.env.AWS_REGION = 'eu-central-1';
  s3 = await startS3Server();
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-blobs-'));
});
after(async () => {
  await s3.stop();
  await rm(folder, { recursive: true });
});

const stores = [
  {
    name: 'a folder',
    open: (): BlobStore => new FileBlobStore(path.join(folder, 'blobs')),
    remaining: async () => {
      const entries = await readdir(path.join(folder, 'blobs'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
  },
  {
    name: 'an S3 bucket',
    open: (): BlobStore => new S3BlobStore(s3.settings),
    remaining: async () => [
      ...(await s3.objects()).map((key) => key.slice(s3.settings.prefix.length)),
      ...(await s3.openUploads()),
    ],
  },
];

for (const { name, open, remaining } of stores) {
  describe(`blobs in ${name}`, () => {
    let store: BlobStore;
    before(async () => {
      store = open();
      await store.prepare();
      await (await store.create(BLOB_STORE_MARKER)).commit();
    });
    /** Appends pieces of this size from one reused buffer. */
    const write = async (key: string, bytes: Buffer, step: number) => {
      const writer = await store.create(key);
      const piece = Buffer.alloc(step);
      for (let at = 0; at < bytes.length; at += step) {
        await writer.append(piece.subarray(0, bytes.copy(piece, 0, at, at + step)));
      }
      return writer;
    };

    // In S3, only the last part may be smaller than 5 MiB, so the test uses sizes around one and two parts.
    for (const size of [0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 10 * MIB, 15 * MIB + 7]) {
      it(`stores ${size} bytes in ${name}, reads them in full and in ranges, and deletes them`, async () => {
        const bytes = randomBytes(size);
        const key = `tenant/2026-11-21/${size}.zst`;
        await (await write(key, bytes, 3 * MIB - 1)).commit();
        assert.ok((await store.read(key, 0, size)).equals(bytes));
        for (const [offset, length] of [
          [0, 1],
          [size >> 1, size >> 2],
          [Math.max(0, size - 9), Math.min(9, size)],
        ] as const) {
          if (offset + length <= size)
            assert.ok(
              (await store.read(key, offset, length)).equals(bytes.subarray(offset, offset + length)),
            );
        }
        await assert.rejects(store.read(key, 0, size + 1), new RegExp(`${size}.zst`));
        await assert.rejects(store.read(key, size, 1), new RegExp(`${size}.zst`));
        await assert.rejects(store.read(key, size + 1, 1), new RegExp(`${size}.zst`));
        await store.delete(key);
        await assert.rejects(store.read(key, 0, 1), new RegExp(`${size}.zst`));
        assert.deepEqual(await remaining(), [BLOB_STORE_MARKER]);
      });
    }

    it(`ignores the deletion of an unknown blob in ${name}`, () => store.delete('tenant/never.zst'));

    for (const size of [0, 100, 11 * MIB]) {
      it(`leaves nothing in ${name} after a write of ${size} bytes is aborted`, async () => {
        const writer = await write('tenant/aborted.zst', randomBytes(size), MIB);
        await writer.abort();
        assert.deepEqual(await remaining(), [BLOB_STORE_MARKER]);
        await assert.rejects(store.read('tenant/aborted.zst', 0, 1));
      });
    }

    for (const size of [10, 6 * MIB]) {
      it(`rejects a write of ${size} bytes to an existing blob in ${name}, and keeps that blob`, async () => {
        const key = 'tenant/first.zst';
        await (await write(key, Buffer.from('first'), 5)).commit();
        await assert.rejects(async () => {
          const writer = await write(key, randomBytes(size), MIB);
          try {
            await writer.commit();
          } catch (error) {
            await writer.abort();
            throw error;
          }
        }, /exist/i);
        assert.equal((await store.read(key, 0, 5)).toString(), 'first');
        await store.delete(key);
        assert.deepEqual(await remaining(), [BLOB_STORE_MARKER]);
      });
    }

    it(`stores several blobs concurrently in ${name}`, async () => {
      const blobs = Array.from({ length: 5 }, (_, at) => ({
        key: `tenant/${at}.zst`,
        bytes: randomBytes(5 * MIB + 9),
      }));
      await Promise.all(
        blobs.map(async ({ key, bytes }) => await (await write(key, bytes, MIB - 3)).commit()),
      );
      for (const { key, bytes } of blobs) {
        assert.ok((await store.read(key, 0, bytes.length)).equals(bytes));
        await store.delete(key);
      }
    });

    it(`rejects blob keys that point outside ${name}`, async () => {
      for (const key of [
        '',
        '/a',
        'a/',
        'a//b',
        '../a',
        'a/../../b',
        '.',
        'a/.b',
        'a b',
        'a?b',
        'ä',
        'a\0',
      ]) {
        await assert.rejects(store.create(key), TypeError, key);
        await assert.rejects(store.read(key, 0, 1), TypeError, key);
        await assert.rejects(store.delete(key), TypeError, key);
      }
    });
  });
}
