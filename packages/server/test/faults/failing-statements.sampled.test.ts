import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createSandbox } from '../support/sandbox.ts';
import { type FailingStatements, type StatementFault, startFailingStatements } from './failing-statements.ts';
import { failEach } from './fault-loop.ts';
import { planUploads } from './scenario-uploads.ts';
import {
  blobsIn,
  createStageDatabase,
  preloads,
  type Stage,
  type StageDatabase,
  WITHOUT_SCHEDULE,
} from './stage.ts';

// Its own service: its database is behind a proxy.
describe('ingestion in which one SQL statement after another fails', () => {
  const sandbox = createSandbox();
  let database: StageDatabase;
  let proxy: FailingStatements;
  let stage: Stage;
  before(async () => {
    database = await createStageDatabase();
    proxy = await startFailingStatements(database.url);
    const dataDir = await sandbox.newDataDir();
    const service = await sandbox.startService(
      { ...WITHOUT_SCHEDULE, DATABASE_URL: proxy.url, NODE_OPTIONS: preloads() },
      dataDir,
    );
    const points = { ingestion: proxy, collection: proxy };
    const blobs = blobsIn(path.join(dataDir, 'blobs'));
    stage = { ...database, service, points, blobs, plans: planUploads() };
  });
  after(async () => {
    await sandbox.clear();
    await proxy.stop();
    await database.remove();
  });

  const faults: readonly (readonly [StatementFault, string, readonly number[]])[] = [
    ['refused', 'the server refuses it', [503, 507]],
    ['refused twice', 'the server refuses it and the next one of the session', [500, 503]],
    ['lost', 'the session ends before it is run', [503]],
    ['unknown', 'the session ends after it was run', [503]],
  ];
  for (const [index, [fault, how, statuses]] of faults.entries()) {
    it(`accounts for every record, whichever statement fails, where ${how}`, async (t) => {
      proxy.fault = fault;
      const looped = { index, of: faults.length, statuses };
      assert.deepEqual(await failEach(stage, looped, (line) => t.diagnostic(line)), []);
    });
  }
});
