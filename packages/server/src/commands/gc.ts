import { assertStoreOf } from '../blob-store/blob-store-mark.ts';
import { openBlobStore } from '../blob-store/open-blob-store.ts';
import { BlobsNotRemoved } from '../housekeeping/blob-remover.ts';
import { collectGarbage } from '../housekeeping/collect-garbage.ts';
import { OperatorError } from '../operator-error.ts';
import type { AdminCommand } from './command.ts';

/** Collects what nobody needs any more, or says what it would collect. */
export const gc: AdminCommand = {
  usage: 'gc [--dry-run]',
  options: [],
  flags: ['dry-run'],
  positionals: 0,
  read: (given) => {
    const dryRun = given.flag('dry-run');
    return async (pool, config) => {
      const blobs = await openBlobStore(config.blobStore);
      await blobs.assertUsable();
      const client = await pool.connect();
      try {
        // In another database's store everything looks like an orphan.
        await assertStoreOf(client, blobs);
        const house = { client, blobs, dryRun, signal: undefined };
        const report = await collectGarbage(house, config.housekeeping);
        if (report !== undefined) return report;
      } catch (error) {
        if (!(error instanceof BlobsNotRemoved)) throw error;
        throw new OperatorError(`${error.message}; the next gc tries them again`, { cause: error });
      } finally {
        client.release();
      }
      throw new OperatorError(
        'garbage collection is already running, or a backup that it must not disturb; try again later',
      );
    };
  },
};
