import { keepHouse } from '../housekeeping/keep-house.ts';
import { removeDeletedProviders } from '../jobs/remove-deleted-providers.ts';
import { WorkerPool } from '../jobs/worker-pool.ts';
import { NotReady } from '../operations/health/health.ts';
import type { StartComponent } from './component.ts';

const WHY = 'they have ended, or have no connection to the database';

/** Works on what was uploaded, and removes what deleted providers leave and nobody needs; listens on nothing. */
export const startWorkers: StartComponent = async ({
  config,
  database: { database, embedded },
  blobs,
  log,
  operations: { health, metrics },
}) => {
  const { workers, blobStore, limits, logLevel, tracesUrl } = config;
  const settings = { database, embedded, blobStore, limits, logLevel, tracesUrl };
  const pool = new WorkerPool(workers, settings, log, (report) => {
    if (report.type === 'blob') metrics.blobs.add(report);
    else metrics.frames.add(report);
  });
  health.add('workers', async () => {
    const { ready } = pool;
    if (ready < workers)
      throw new NotReady(`${workers - ready} of ${workers} worker threads cannot work: ${WHY}`);
  });
  const stop = new AbortController();
  const { signal } = stop;
  const removed = removeDeletedProviders({ database, embedded, log, signal });
  const kept = keepHouse({
    database,
    embedded,
    blobs,
    settings: config.housekeeping,
    log,
    signal,
    metrics: metrics.retention,
  });
  // Who reads that the process is ready may ask it whether it is.
  await pool.started();
  return {
    stop: async () => {
      stop.abort();
      await Promise.all([pool.stop(), removed, kept]);
    },
  };
};
