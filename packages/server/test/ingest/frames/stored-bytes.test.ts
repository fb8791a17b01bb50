import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { BLOB_STORE_MARKER } from '../../../src/blobs/blob-store.ts';
import { FileBlobStore } from '../../../src/blobs/file-blob-store.ts';
import { readBlob } from '../../../src/ingest/frames/stored-frame.ts';

describe('reading a stored blob', () => {
  it('reports a blob that is a directory or too short as damaged, and a nonexistent blob as missing', async (t) => {
    const root = await mkdtemp(path.join(tmpdir(), 'sluice-stored-bytes-'));
    t.after(() => rm(root, { recursive: true }));
    const blobs = new FileBlobStore(root);
    await blobs.prepare();
    await writeFile(path.join(root, BLOB_STORE_MARKER), '');
    await mkdir(path.join(root, 'directory'));
    await writeFile(path.join(root, 'short'), 'abc');
    for (const [key, code] of [
      ['directory', 'file_damaged'],
      ['short', 'file_damaged'],
      ['absent', 'file_missing'],
    ] as const)
      await assert.rejects(() => readBlob(blobs, key, { offset: 0, length: 4 }), { code }, key);
  });
});
