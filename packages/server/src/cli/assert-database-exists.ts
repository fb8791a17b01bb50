import type { Config } from '../config/config.ts';
import { clusterExists, locateCluster } from '../db/embedded/cluster.ts';
import { codeOf, OperatorError } from '../lib/errors.ts';

/**
 * Throws an OperatorError if `DATABASE_URL` is not set and the data directory has no database. Only `sluice serve` and
 * `sluice restore` create a database: with the wrong data directory, any other command would use a second, empty
 * database.
 */
export async function assertDatabaseExists({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  if (databaseUrl !== undefined || (await hasCluster(dataDir))) return;
  throw new OperatorError(
    `the data directory ${dataDir} contains no database; set SLUICE_DATA_DIR to the data directory of the service, or set DATABASE_URL`,
  );
}

async function hasCluster(dataDir: string): Promise<boolean> {
  try {
    return await clusterExists(await locateCluster(dataDir));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOTDIR') return false;
    if (code !== 'EACCES') throw error;
    throw new OperatorError(
      `cannot read the data directory ${dataDir}: permission denied; run the command as the user that runs the service`,
      { cause: error },
    );
  }
}
