import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { BLOB_STORE_MARKER, type BlobStore } from '../../src/blobs/blob-store.ts';
import { openBlobStore } from '../../src/blobs/open-blob-store.ts';

const FOLDER = '00000000-0000-4000-8000-000000000000/2026-01-01';
const KEY = `${FOLDER}/job`;

describe('instrumented blob store', () => {
  let folder: string;
  let store: BlobStore;
  let reports: (string | undefined)[][];
  const write = async (key: string) => {
    const writer = await store.create(key);
    await writer.append(Buffer.from('some '));
    await writer.append(Buffer.from('bytes'));
    await writer.commit();
  };
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-instrumented-'));
    store = await openBlobStore({ type: 'file', folder }, ({ operation, seconds, fault }) => {
      assert.ok(seconds > 0);
      reports.push([operation, fault]);
    });
    reports = [];
    await write(BLOB_STORE_MARKER);
    reports = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reports each write, read, list and delete of blobs once', async () => {
    await write(KEY);
    assert.equal((await store.read(KEY, 5, 5)).toString(), 'bytes');
    const listed: string[] = [];
    for await (const { key } of store.list()) listed.push(key);
    assert.deepEqual(listed.sort(), [KEY, BLOB_STORE_MARKER]);
    await store.delete(KEY);
    const aborted = await store.create(KEY);
    await aborted.abort();
    assert.deepEqual(reports, [
      ['write', undefined],
      ['read', undefined],
      ['list', undefined],
      ['delete', undefined],
      ['delete', undefined],
    ]);
  });

  it('reports the reason for a failed blob operation once, and rethrows the error', async () => {
    await write(KEY);
    reports = [];
    await assert.rejects(store.read(`${FOLDER}/other`, 0, 1), { code: 'ENOENT' });
    await assert.rejects(store.read(KEY, 5, 6), { code: 'BLOB_TOO_SHORT' });
    await assert.rejects(store.create(KEY), { code: 'EEXIST' });
    const writer = await store.create(`${FOLDER}/unfinished`);
    await rename(path.join(folder, BLOB_STORE_MARKER), path.join(folder, 'renamed'));
    await assert.rejects(store.read(`${FOLDER}/other`, 0, 1), { code: 'BLOB_STORE_UNAVAILABLE' });
    await writer.abort();
    assert.deepEqual(reports, [
      ['read', 'missing'],
      ['read', 'damaged'],
      ['write', 'other'],
      ['read', 'unavailable'],
      ['delete', undefined],
    ]);
  });
});
