import { assertBoundStore } from '../blob-store/blob-store-marker.ts';
import { BLOB_STORE_SETTINGS } from '../blob-store/blob-store-settings.ts';
import { isBlobStoreUnavailable } from '../blob-store/blob-store-unavailable.ts';
import { openBlobStore } from '../blob-store/open-blob-store.ts';
import { DATABASE_SETTINGS } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import { BlobsNotRemoved } from '../retention/blob-remover.ts';
import { collectGarbage } from '../retention/collect-garbage.ts';
import { RETENTION_SETTINGS } from '../retention/settings.ts';
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
