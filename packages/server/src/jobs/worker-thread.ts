import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { openBlobStore } from '../blob-store/open-blob-store.ts';
import { runInBackground } from '../thread-priority.ts';
import { runWorker } from './worker.ts';
import type { WorkerSettings } from './worker-pool.ts';

/** While PostgreSQL merges one frame the thread reads the next. */
const FRAMES_AT_ONCE = 2;

runInBackground();

/** The entry of a worker thread; any message from the server tells it to stop. */
const settings: WorkerSettings = workerData;
const stop = new AbortController();
parentPort?.once('message', () => stop.abort());

const dependencies = {
  database: settings.database,
  embedded: settings.embedded,
  blobs: await openBlobStore(settings.blobStore),
  limits: settings.limits,
  log: pino(
    { level: settings.logLevel, base: { worker: settings.number } },
    pino.destination({ dest: 2, sync: true }),
  ),
  signal: stop.signal,
};
await Promise.all(Array.from({ length: FRAMES_AT_ONCE }, () => runWorker(dependencies)));
parentPort?.close();
