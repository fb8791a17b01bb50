import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDurableFolder } from '../../durable-folder.ts';
import { codeOf } from '../../error-code.ts';
import { type ClusterPaths, pathsInFolder } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * Makes Sluice's data directory when it is missing.
 *
 * @throws EmbeddedPostgresError `unusable_path` when that fails
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeDurableFolder(dataDir);
  } catch (cause) {
    throw new EmbeddedPostgresError('unusable_path', `Cannot make the data directory ${dataDir}: ${cause}`, {
      cause,
    });
  }
}

/**
 * Where the cluster of a data directory is, or would be.
 *
 * @throws EmbeddedPostgresError `unusable_path` when pg_ctl could not pass the path on
 */
export async function locateCluster(dataDir: string): Promise<ClusterPaths> {
  const absolute = resolve(dataDir);
  const real = await realpath(absolute).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return absolute;
    throw error;
  });
  requireShellSafe(real);
  return pathsInFolder(join(real, 'postgres'));
}

/** pg_ctl puts paths between double quotes in a shell command, and escapes nothing. */
function requireShellSafe(path: string): void {
  if (!/["$`\\\n]/.test(path)) return;
  throw new EmbeddedPostgresError(
    'unusable_path',
    `PostgreSQL cannot be started in ${JSON.stringify(path)}: set SLUICE_DATA_DIR to a path without double quotes, ` +
      'dollar signs, backquotes, backslashes and line breaks',
  );
}
