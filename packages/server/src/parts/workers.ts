import { keepHouse } from '../housekeeping/keep-house.ts';
import { removeDeletedProviders } from '../jobs/remove-deleted-providers.ts';
import { WorkerPool } from '../jobs/worker-pool.ts';
import type { StartPart } from './part.ts';

/** Works on what was uploaded, and removes what deleted providers leave and nobody needs; listens on nothing. */
export const startWorkers: StartPart = async ({ config, database: { database, embedded }, blobs, log }) => {
  const { workers, blobStore, limits, logLevel } = config;
  const settings = { database, embedded, blobStore, limits, logLevel };
  const pool = new WorkerPool(workers, settings, log);
  const stop = new AbortController();
  const { signal } = stop;
  const removed = removeDeletedProviders({ database, embedded, log, signal });
  const kept = keepHouse({ database, embedded, blobs, settings: config.housekeeping, log, signal });
  return {
    stop: async () => {
      stop.abort();
      await Promise.all([pool.stop(), removed, kept]);
    },
  };
};
