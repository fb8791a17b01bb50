import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSandbox } from '../support/sandbox.ts';
import { armFiles, disarmFiles } from './failing-files.ts';
import { failingFilesOf } from './failing-files-control.ts';
import { failEach } from './fault-loop.ts';
import { FILE_FAULTS, type FileFault, FOLDER, SOCKET } from './file-faults.ts';
import { planUploads } from './scenario-uploads.ts';
import {
  blobsIn,
  createStageDatabase,
  preloads,
  type Stage,
  type StageDatabase,
  WITHOUT_SCHEDULE,
} from './stage.ts';

const FAULTS: Readonly<Record<FileFault, { readonly how: string; readonly statuses: readonly number[] }>> = {
  EIO: { how: 'cannot be done', statuses: [503] },
  late: { how: 'is done and fails all the same', statuses: [503] },
  ENOSPC: { how: 'finds no room', statuses: [507] },
  short: { how: 'writes less than it was given', statuses: [] },
  unflushed: { how: 'is the flush of a file that fails', statuses: [503] },
};

// Its own service: its file operations fail.
describe('ingestion in which one operation on stored files after another fails', () => {
  const sandbox = createSandbox();
  let database: StageDatabase;
  let stage: Stage;
  let fault: FileFault = 'EIO';
  before(async () => {
    database = await createStageDatabase();
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
    // The command that collects garbage runs in this process.
    const collection = { arm: async (n: number) => armFiles(n, fault), disarm: async () => disarmFiles() };
    const points = { ingestion, collection };
    stage = { ...database, service, points, blobs: blobsIn(folder), plans: planUploads() };
  });
  after(async () => {
    await sandbox.clear();
    await database.remove();
  });

  for (const [index, each] of FILE_FAULTS.entries()) {
    const { how, statuses } = FAULTS[each];
    it(`accounts for every record, whichever operation ${how}`, async (t) => {
      fault = each;
      const isTold = (failed: string) => failed.startsWith('sync');
      const looped = { index, of: FILE_FAULTS.length, statuses, isTold };
      assert.deepEqual(await failEach(stage, looped, (line) => t.diagnostic(line)), []);
    });
  }
});
