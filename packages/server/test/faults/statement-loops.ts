import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, it } from 'node:test';
import {
  type FailingStatements,
  type StatementFault,
  startFailingStatements,
} from '../support/failing-statements.ts';
import { createSandbox } from '../support/sandbox.ts';
import { failEach } from './fault-loop.ts';
import { planUploads } from './scenario-uploads.ts';
import { blobsIn } from './stored-blobs.ts';
import {
  createTestBedDatabase,
  preloads,
  type TestBed,
  type TestBedDatabase,
  WITHOUT_SCHEDULE,
} from './test-bed.ts';

/** A fault with its description and the error statuses that it may cause. */
export type LoopedStatementFault = readonly [StatementFault, how: string, statuses: readonly number[]];

/** Tests with faults in SQL statements, on a separate service whose database is behind a proxy. */
export function testFailingStatements(faults: readonly LoopedStatementFault[]): void {
  const sandbox = createSandbox();
  let database: TestBedDatabase;
  let proxy: FailingStatements;
  let testBed: TestBed;
  before(async () => {
    database = await createTestBedDatabase();
    proxy = await startFailingStatements(database.url);
    const dataDir = await sandbox.newDataDir();
    const service = await sandbox.startService(
      { ...WITHOUT_SCHEDULE, DATABASE_URL: proxy.url, NODE_OPTIONS: preloads() },
      dataDir,
    );
    const points = { ingestion: proxy, collection: proxy };
    const blobs = blobsIn(path.join(dataDir, 'blobs'));
    testBed = { ...database, service, points, blobs, plans: planUploads() };
  });
  after(async () => {
    await sandbox.clear();
    await proxy.stop();
    await database.remove();
  });

  for (const [index, [fault, how, statuses]] of faults.entries()) {
    it(`accounts for every record no matter where ${how}`, async (t) => {
      proxy.fault = fault;
      const looped = { index, of: faults.length, statuses };
      assert.deepEqual(await failEach(testBed, looped, (line) => t.diagnostic(line)), []);
    });
  }
}
