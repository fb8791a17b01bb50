import assert from 'node:assert/strict';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { BLOB_STORE_UNAVAILABLE } from '../../src/blobs/blob-store.ts';
import { FileBlobStore } from '../../src/blobs/file-blob-store.ts';
import { armFiles, disarmFiles } from '../faults/failing-files.ts';
import { FOLDER } from '../faults/file-faults.ts';
import { createClient } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { record } from '../support/records.ts';

describe('an unreadable blob folder', () => {
  let service: SharedService;
  let folder: string;
  before(async () => {
    service = await joinService();
    folder = path.join(service.dataDir, 'blobs', service.tenantId);
    await createClient(service.url, service.key).ingest([record()]);
    process.env[FOLDER] = folder;
  });
  after(() => service.leave());

  for (const [n, description] of ['a tenant folder', 'a day folder', 'a file'].entries()) {
    it(`reports an unavailable blob store if ${description} cannot be read`, async () => {
      armFiles(n + 1, 'EIO');
      const store = new FileBlobStore(path.dirname(folder));
      await assert.rejects(Readable.from(store.list()).toArray(), { code: BLOB_STORE_UNAVAILABLE });
      assert.notEqual(disarmFiles().failed, undefined);
    });
  }

  it('sluice gc reports an unreadable blob folder as an operator error', async () => {
    armFiles(1, 'EIO');
    // One line: the stack trace is printed only for unexpected errors.
    await assert.rejects(service.sluiceJson('gc'), {
      message:
        'sluice gc exited with code 1: sluice: the blob store folder is unavailable (EIO); the next garbage collection will remove the rest',
    });
    disarmFiles();
  });
});
