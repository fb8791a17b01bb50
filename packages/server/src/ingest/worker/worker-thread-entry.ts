import { parentPort, workerData } from 'node:worker_threads';
import { ConformanceChecker, createFindingScanner } from '@sluice/ocsf';
import pLimit from 'p-limit';
import { openBlobStore } from '../../blobs/open-blob-store.ts';
import { collectAllGarbage } from '../../lib/reclaim-memory.ts';
import { lowerThreadPriority } from '../../lib/scheduling-priority.ts';
import { createLog } from '../../observability/log.ts';
import { openTracing } from '../../observability/traces/tracing.ts';
import type { WorkerReport } from '../../observability/worker-report.ts';
import { SharedStores } from '../merge/reference-stores.ts';
import { JobSlots, runWorker } from './worker.ts';
import type { WorkerSettings } from './worker-pool.ts';

// The entry point of a worker thread. `worker-pool.ts` starts it. Any message from the main thread stops it.

/**
 * Maximum number of frames of one job. This is enough to keep PostgreSQL busy, which merges frames while the thread
 * parses another frame.
 */
const FRAMES_PER_JOB = 3;
/** One slot is left for other jobs, no matter how long the frames of one job take. */
const FRAMES_AT_ONCE = FRAMES_PER_JOB + 1;

lowerThreadPriority();

const settings: WorkerSettings = workerData;
const stop = new AbortController();
parentPort?.once('message', () => stop.abort());

const log = createLog(settings.logLevel, { worker: settings.number });
const tracing = await openTracing(settings.tracesUrl, log);
const report = (message: WorkerReport) => parentPort?.postMessage(message);

const dependencies = {
  database: settings.database,
  embedded: settings.embedded,
  blobs: await openBlobStore(settings.blobStore, report),
  limits: settings.limits,
  publicUrl: settings.publicUrl,
  stores: new SharedStores(),
  slots: new JobSlots(FRAMES_PER_JOB),
  scanner: createFindingScanner(),
  conformance: settings.checksConformance ? new ConformanceChecker() : undefined,
  parseQueue: pLimit(1),
  log,
  tracing,
  signal: stop.signal,
};
collectAllGarbage();

let connected = 0;
/** Each worker reports its own connections. The thread is connected when all of its workers are. */
const reportOf = (worker: { isConnected: boolean }) => (message: WorkerReport) => {
  if (message.type !== 'connected') return report(message);
  if (message.isConnected !== worker.isConnected) connected += message.isConnected ? 1 : -1;
  worker.isConnected = message.isConnected;
  report({ type: 'connected', isConnected: connected === FRAMES_AT_ONCE });
};
await Promise.all(
  Array.from({ length: FRAMES_AT_ONCE }, () =>
    runWorker({ ...dependencies, report: reportOf({ isConnected: false }) }),
  ),
);
await tracing.stop();
parentPort?.close();
