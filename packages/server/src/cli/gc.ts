import { isBlobStoreUnavailable } from '../blobs/blob-store.ts';
import { assertBoundStore } from '../blobs/blob-store-marker.ts';
import { openBlobStore } from '../blobs/open-blob-store.ts';
import { BLOB_STORE_SETTINGS } from '../config/blob-store-settings.ts';
import { DATABASE_SETTINGS } from '../config/config.ts';
import { RETENTION_SETTINGS } from '../config/retention-settings.ts';
import { OperatorError } from '../lib/errors.ts';
import { collectGarbage } from '../retention/collect-garbage.ts';
import { BlobsNotRemoved } from '../retention/collect-orphans.ts';
import type { AdminCommand } from './command.ts';

/** Removes expired data and unreferenced blobs, or reports what it would remove. */
export const gc: AdminCommand = {
  usage: 'gc [--dry-run]',
  summary: 'Remove expired data and unreferenced blobs',
  details:
    'Workers run the same garbage collection every SLUICE_GC_INTERVAL_MINUTES minutes. The service may be running.',
  positionals: {},
  options: {},
  flags: { 'dry-run': 'print what would be removed, without removing it' },
  settings: { ...DATABASE_SETTINGS, ...BLOB_STORE_SETTINGS, ...RETENTION_SETTINGS },
  read: (given) => {
    const dryRun = given.flag('dry-run');
    return async (pool, config) => {
      const blobs = await openBlobStore(config.blobStore);
      await blobs.assertUsable();
      const client = await pool.connect();
      try {
        // In the blob store of another database, every blob would count as unreferenced.
        await assertBoundStore(client, blobs);
        const collection = { client, blobs, dryRun, signal: undefined };
        const report = await collectGarbage(collection, config.retention);
        if (report !== undefined) return report;
      } catch (error) {
        if (error instanceof BlobsNotRemoved)
          throw new OperatorError(`${error.message}; the next garbage collection will retry`, {
            cause: error,
          });
        if (isBlobStoreUnavailable(error) && error instanceof Error)
          throw new OperatorError(`${error.message}; the next garbage collection will remove the rest`, {
            cause: error,
          });
        throw error;
      } finally {
        client.release();
      }
      throw new OperatorError('another garbage collection or a backup is running; try again later');
    };
  },
};
