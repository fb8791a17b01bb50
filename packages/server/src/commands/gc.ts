import { assertBoundStore } from '../blob-store/blob-store-marker.ts';
import { BLOB_STORE_SETTINGS } from '../blob-store/blob-store-settings.ts';
import { isBlobStoreUnavailable } from '../blob-store/blob-store-unavailable.ts';
import { openBlobStore } from '../blob-store/open-blob-store.ts';
import { DATABASE_SETTINGS } from '../config.ts';
import { BlobsNotRemoved } from '../housekeeping/blob-remover.ts';
import { collectGarbage } from '../housekeeping/collect-garbage.ts';
import { RETENTION_SETTINGS } from '../housekeeping/settings.ts';
import { OperatorError } from '../operator-error.ts';
import type { AdminCommand } from './command.ts';

/** Collects expired data and unreferenced blobs, or says what it would collect. */
export const gc: AdminCommand = {
  usage: 'gc [--dry-run]',
  summary: 'Collect expired data and unreferenced blobs',
  details: 'Workers do the same every SLUICE_GC_INTERVAL_MINUTES. It is safe while the service runs.',
  positionals: {},
  options: {},
  flags: { 'dry-run': 'collect nothing, and print what would be collected' },
  settings: { ...DATABASE_SETTINGS, ...BLOB_STORE_SETTINGS, ...RETENTION_SETTINGS },
  read: (given) => {
    const dryRun = given.flag('dry-run');
    return async (pool, config) => {
      const blobs = await openBlobStore(config.blobStore);
      await blobs.assertUsable();
      const client = await pool.connect();
      try {
        // In another database's store everything looks like an orphan.
        await assertBoundStore(client, blobs);
        const house = { client, blobs, dryRun, signal: undefined };
        const report = await collectGarbage(house, config.housekeeping);
        if (report !== undefined) return report;
      } catch (error) {
        if (error instanceof BlobsNotRemoved)
          throw new OperatorError(`${error.message}; the next gc tries them again`, { cause: error });
        if (isBlobStoreUnavailable(error) && error instanceof Error)
          throw new OperatorError(`${error.message}; the next gc collects what is left`, { cause: error });
        throw error;
      } finally {
        client.release();
      }
      throw new OperatorError(
        'garbage collection is already running, or a backup that it must not disturb; try again later',
      );
    };
  },
};
