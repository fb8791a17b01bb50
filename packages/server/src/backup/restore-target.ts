import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config } from '../config/config.ts';
import { SCHEMA } from '../db/connect.ts';
import { lockDataDirectory, openEmbedded } from '../db/embedded/open-embedded.ts';
import { assertReachable } from '../db/open-database.ts';
import { OperatorError } from '../lib/errors.ts';

export interface RestoreTarget {
  /** Connection string of the login role that will own the tables. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens the target database, and creates the embedded database if it is missing. Locks the data directory until
 * `close`.
 */
export async function openRestoreTarget(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<RestoreTarget> {
  if (databaseUrl !== undefined) {
    await assertReachable(databaseUrl);
    return { url: databaseUrl, close: async () => {} };
  }
  const server = await openEmbedded(dataDir, log);
  try {
    const lock = await lockDataDirectory(server.url, dataDir);
    const close = async () => {
      await lock.end();
      await server.close();
    };
    return { url: server.url, close };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Throws an OperatorError if Sluice has used the database before. */
export async function assertEmptyDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 limit 1`,
    [SCHEMA],
  );
  if (rowCount === 0) return;
  throw new OperatorError(
    `the database already contains tables in the schema ${SCHEMA}; set SLUICE_DATA_DIR to a new folder, or DATABASE_URL to an empty database`,
  );
}

/** Throws an OperatorError if the blob store is not empty, because it could belong to the original database. */
export async function assertEmptyBlobStore(blobs: BlobStore): Promise<void> {
  for await (const { key } of blobs.list())
    throw new OperatorError(
      `the blob store is not empty: it contains ${key}; set SLUICE_BLOB_STORE to a new folder or prefix`,
    );
}
