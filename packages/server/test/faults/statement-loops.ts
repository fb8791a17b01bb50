import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, it } from 'node:test';
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

/** A fault, how it comes about, and the statuses that requests may be refused with because of it. */
export type LoopedStatementFault = readonly [StatementFault, how: string, statuses: readonly number[]];

/** The fault loop over SQL statements, on a service of its own, whose database is behind a proxy. */
export function failsStatements(faults: readonly LoopedStatementFault[]): void {
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

  for (const [index, [fault, how, statuses]] of faults.entries()) {
    it(`accounts for every record, whichever statement fails, where ${how}`, async (t) => {
      proxy.fault = fault;
      const looped = { index, of: faults.length, statuses };
      assert.deepEqual(await failEach(stage, looped, (line) => t.diagnostic(line)), []);
    });
  }
}
