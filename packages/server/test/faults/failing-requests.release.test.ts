import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import { failingRequests, type RequestFault } from './failing-requests.ts';
import { failEach } from './fault-loop.ts';
import { planUploads } from './scenario-uploads.ts';
import { blobsOf } from './stored-blobs.ts';
import {
  createTestBedDatabase,
  preloads,
  type TestBed,
  type TestBedDatabase,
  WITHOUT_SCHEDULE,
} from './test-bed.ts';

/** Makes the second file larger than one part of a multipart upload (5 MiB). */
const PADDING = 1_420_000;

const FAULTS: Readonly<Record<string, RequestFault>> = {
  'is lost': { fault: { type: 'cut-request', afterBytes: 0 }, isLasting: false },
  'and its retries are lost': { fault: { type: 'cut-request', afterBytes: 0 }, isLasting: true },
  'loses its response': { fault: { type: 'cut-response', afterBytes: 0 }, isLasting: false },
  'and its retries lose their responses': {
    fault: { type: 'cut-response', afterBytes: 0 },
    isLasting: true,
  },
  'and its retries fail with 500': {
    fault: { type: 'status', status: 500, code: 'InternalError' },
    isLasting: true,
  },
  // Not persistent, because the SDK backs off for seconds before the third retry.
  'fails with SlowDown': { fault: { type: 'status', status: 503, code: 'SlowDown' }, isLasting: false },
  'times out': { fault: { type: 'silence' }, isLasting: false },
};

// Uses a separate service with blobs in S3.
describe('fault injection into S3 requests', () => {
  const sandbox = createSandbox();
  let database: TestBedDatabase;
  let s3: S3Server;
  let testBed: TestBed;
  let fault: RequestFault;
  before(async () => {
    database = await createTestBedDatabase();
    s3 = await startS3Server();
    // Garbage collection runs in this process.
    [process.env.AWS_ACCESS_KEY_ID, process.env.AWS_SECRET_ACCESS_KEY] = S3_SECRETS;
    process.env.AWS_REGION = 'eu-central-1';
    const service = await sandbox.startService({
      ...WITHOUT_SCHEDULE,
      ...s3.environment,
      DATABASE_URL: database.url,
      NODE_OPTIONS: preloads(),
    });
    const ingestion = failingRequests(s3.proxy, () => fault);
    // Timeouts are not shortened in this process, so an unresponsive server would take too long.
    const arm = async (n: number) => await ingestion.arm(fault.fault.type === 'silence' ? 0 : n);
    const points = { ingestion, collection: { ...ingestion, arm } };
    testBed = { ...database, service, points, blobs: blobsOf(s3), plans: planUploads(PADDING) };
  });
  after(async () => {
    await sandbox.clear();
    await s3.stop();
    await database.remove();
  });

  for (const [index, [how, each]] of Object.entries(FAULTS).entries()) {
    it(`accounts for every record no matter which S3 request ${how}`, async (t) => {
      fault = each;
      const looped = { index, of: Object.entries(FAULTS).length, statuses: [503] };
      assert.deepEqual(await failEach(testBed, looped, (line) => t.diagnostic(line)), []);
    });
  }
});
