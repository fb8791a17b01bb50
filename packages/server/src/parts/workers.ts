import { removeDeletedProviders } from '../jobs/remove-deleted-providers.ts';
import { WorkerPool } from '../jobs/worker-pool.ts';
import type { StartPart } from './part.ts';

/** Works on what was uploaded, and removes what deleted providers leave; listens on nothing. */
export const startWorkers: StartPart = async ({ config, database: { database, embedded }, log }) => {
  const { workers, blobStore, limits, logLevel } = config;
  const settings = { database, embedded, blobStore, limits, logLevel };
  const pool = new WorkerPool(workers, settings, log);
  const removal = new AbortController();
  const removed = removeDeletedProviders({ database, embedded, log, signal: removal.signal });
  return {
    stop: async () => {
      removal.abort();
      await Promise.all([pool.stop(), removed]);
    },
  };
};
