import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isWholeRun } from '../support/is-whole-run.ts';
import { createSandbox } from '../support/sandbox.ts';
import { armFiles, disarmFiles } from './failing-files.ts';
import { failingFilesOf } from './failing-files-control.ts';
import { failEach } from './fault-loop.ts';
import { FILE_FAULTS, type FileFault, FOLDER, SOCKET } from './file-faults.ts';
import { planUploads } from './scenario-uploads.ts';
import { blobsIn } from './stored-blobs.ts';
import {
  createTestBedDatabase,
  preloads,
  type TestBed,
  type TestBedDatabase,
  WITHOUT_SCHEDULE,
} from './test-bed.ts';

const FAULTS: Readonly<Record<FileFault, { readonly how: string; readonly statuses: readonly number[] }>> = {
  EIO: { how: 'a file operation fails with EIO', statuses: [503] },
  late: { how: 'a file operation succeeds but reports EIO', statuses: [503] },
  ENOSPC: { how: 'a file operation fails with ENOSPC', statuses: [507] },
  short: { how: 'a short write occurs', statuses: [] },
  unflushed: { how: 'an fsync fails', statuses: [503] },
};

/** The sample has a fault that is reported at once, and one that only the last flush reports. */
const LOOPED = isWholeRun ? FILE_FAULTS : FILE_FAULTS.filter((fault) => ['EIO', 'unflushed'].includes(fault));

// Uses a separate service, in which file operations fail.
describe('fault injection into blob store file operations', () => {
  const sandbox = createSandbox();
  let database: TestBedDatabase;
  let testBed: TestBed;
  let fault: FileFault = 'EIO';
  before(async () => {
    database = await createTestBedDatabase();
    const dataDir = await sandbox.newDataDir();
    const folder = path.join(dataDir, 'blobs');
    const socket = path.join(dataDir, 'control');
    process.env[FOLDER] = folder;
    const service = await sandbox.startService(
      {
        ...WITHOUT_SCHEDULE,
        DATABASE_URL: database.url,
        NODE_OPTIONS: preloads('failing-files'),
        [FOLDER]: folder,
        [SOCKET]: socket,
      },
      dataDir,
    );
    const ingestion = failingFilesOf(socket, () => fault);
    // Garbage collection runs in this process.
    const collection = { arm: async (n: number) => armFiles(n, fault), disarm: async () => disarmFiles() };
    const points = { ingestion, collection };
    testBed = { ...database, service, points, blobs: blobsIn(folder), plans: planUploads() };
  });
  after(async () => {
    await sandbox.clear();
    await database.remove();
  });

  for (const [index, each] of LOOPED.entries()) {
    const { how, statuses } = FAULTS[each];
    it(`accounts for every record no matter where ${how}`, async (t) => {
      fault = each;
      const mustBeReported = (failed: string) => failed.startsWith('sync');
      const looped = { index, of: LOOPED.length, statuses, mustBeReported };
      assert.deepEqual(await failEach(testBed, looped, (line) => t.diagnostic(line)), []);
    });
  }
});
