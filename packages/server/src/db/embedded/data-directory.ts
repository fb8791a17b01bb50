import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDurableFolder } from '../../lib/durable-folder.ts';
import { codeOf } from '../../lib/errors.ts';
import { type ClusterPaths, pathsInFolder } from './cluster.ts';
import { EmbeddedPostgresError } from './run-command.ts';

/**
 * Creates Sluice's data directory if it is missing.
 *
 * @throws EmbeddedPostgresError `unusable_path` if it cannot be created
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeDurableFolder(dataDir);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'unusable_path',
      `cannot create the data directory ${dataDir}: ${cause}`,
      {
        cause,
      },
    );
  }
}

/**
 * Returns the paths of the cluster in a data directory, whether or not the cluster exists.
 *
 * @throws EmbeddedPostgresError `unusable_path` if pg_ctl cannot handle the path
 */
export async function locateCluster(dataDir: string): Promise<ClusterPaths> {
  const absolute = resolve(dataDir);
  const real = await realpath(absolute).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return absolute;
    throw error;
  });
  assertShellSafe(real);
  return pathsInFolder(join(real, 'postgres'));
}

/** pg_ctl puts paths in double quotes in a shell command, without escaping them. */
function assertShellSafe(path: string): void {
  if (!/["$`\\\n]/.test(path)) return;
  throw new EmbeddedPostgresError(
    'unusable_path',
    `PostgreSQL cannot start in ${JSON.stringify(path)}: set SLUICE_DATA_DIR to a path without double quotes, ` +
      'dollar signs, backquotes, backslashes and line breaks',
  );
}
