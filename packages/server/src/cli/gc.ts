import { Command } from '@commander-js/extra-typings';
import type pg from 'pg';
import { isBlobStoreUnavailable } from '../blobs/blob-store.ts';
import { assertBoundStore } from '../blobs/blob-store-marker.ts';
import { openBlobStore } from '../blobs/open-blob-store.ts';
import { BLOB_STORE_SETTINGS } from '../config/blob-store-settings.ts';
import { type Config, DATABASE_SETTINGS } from '../config/config.ts';
import { RETENTION_SETTINGS } from '../config/retention-settings.ts';
import { OperatorError } from '../lib/errors.ts';
import { BlobsNotRemoved } from '../retention/collect-blobs.ts';
import { collectGarbage } from '../retention/collect-garbage.ts';
import { administer, type CliContext } from './context.ts';
import { jsonOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** `sluice gc`. */
export function gcCommand(context: CliContext) {
  return new Command('gc')
    .description('remove expired data and unreferenced blobs')
    .option('--dry-run', 'print what would be removed, without removing it')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nWorkers run the same garbage collection every SLUICE_GC_INTERVAL_MINUTES minutes. The service may be running.',
    )
    .addHelpText(
      'after',
      settingsHelp({ ...DATABASE_SETTINGS, ...BLOB_STORE_SETTINGS, ...RETENTION_SETTINGS }),
    )
    .action(({ dryRun = false, json }) =>
      administer(context, json, (pool, config) => removeGarbage(pool, config, dryRun)),
    );
}

/** Removes expired data and unreferenced blobs, or reports what it would remove. */
async function removeGarbage(pool: pg.Pool, config: Config, dryRun: boolean): Promise<object> {
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
      throw new OperatorError(`${error.message}; the next garbage collection will retry`, { cause: error });
    if (isBlobStoreUnavailable(error) && error instanceof Error)
      throw new OperatorError(`${error.message}; the next garbage collection will remove the rest`, {
        cause: error,
      });
    throw error;
  } finally {
    client.release();
  }
  throw new OperatorError('another garbage collection or a backup is running; try again later');
}
