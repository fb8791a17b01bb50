import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isWholeRun } from '../support/is-whole-run.ts';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import { failingRequests, type RequestFault } from './failing-requests.ts';
import { failEach } from './fault-loop.ts';
import { planUploads } from './scenario-uploads.ts';
import {
  blobsOf,
  createStageDatabase,
  preloads,
  type Stage,
  type StageDatabase,
  WITHOUT_SCHEDULE,
} from './stage.ts';

/** Makes the second file larger than a part of an upload to S3, which has 5 MiB. */
const PADDING = isWholeRun ? 1_420_000 : 0;

const FAULTS: Readonly<Record<string, RequestFault>> = {
  'never arrives': { fault: { type: 'cut-request', afterBytes: 0 }, isLasting: false },
  'never arrives, nor do its repetitions': { fault: { type: 'cut-request', afterBytes: 0 }, isLasting: true },
  'is done without a response': { fault: { type: 'cut-answer', afterBytes: 0 }, isLasting: false },
  'is done without a response, as are its repetitions': {
    fault: { type: 'cut-answer', afterBytes: 0 },
    isLasting: true,
  },
  'gets a 500, as do its repetitions': {
    fault: { type: 'status', status: 500, code: 'InternalError' },
    isLasting: true,
  },
  // The SDK waits for seconds before it repeats one of these for the third time.
  'is to slow down': { fault: { type: 'status', status: 503, code: 'SlowDown' }, isLasting: false },
  'gets no response in time': { fault: { type: 'silence' }, isLasting: false },
};

// Its own service: its blobs are in S3.
describe('ingestion in which one request to S3 after another fails', () => {
  const sandbox = createSandbox();
  let database: StageDatabase;
  let s3: S3Server;
  let stage: Stage;
  let fault: RequestFault;
  before(async () => {
    database = await createStageDatabase();
    s3 = await startS3Server();
    // The command that collects garbage runs in this process.
    [process.env.AWS_ACCESS_KEY_ID, process.env.AWS_SECRET_ACCESS_KEY] = S3_SECRETS;
    process.env.AWS_REGION = 'eu-central-1';
    const service = await sandbox.startService({
      ...WITHOUT_SCHEDULE,
      ...s3.environment,
      DATABASE_URL: database.url,
      NODE_OPTIONS: preloads(),
    });
    const ingestion = failingRequests(s3.proxy, () => fault);
    // This process has all of its patience with a silent server.
    const arm = async (n: number) => await ingestion.arm(fault.fault.type === 'silence' ? 0 : n);
    const points = { ingestion, collection: { ...ingestion, arm } };
    stage = { ...database, service, points, blobs: blobsOf(s3), plans: planUploads(PADDING) };
  });
  after(async () => {
    await sandbox.clear();
    await s3.stop();
    await database.remove();
  });

  for (const [index, [how, each]] of Object.entries(FAULTS).entries()) {
    it(`accounts for every record, whichever request ${how}`, async (t) => {
      fault = each;
      const looped = { index, of: Object.keys(FAULTS).length, statuses: [503] };
      assert.deepEqual(await failEach(stage, looped, (line) => t.diagnostic(line)), []);
    });
  }
});
