import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ServerUser } from './run-command.ts';
import type { ServerBinaries } from './server-binaries.ts';

/** One embedded PostgreSQL: its files, its programs and its user. */
export interface Cluster {
  paths: ClusterPaths;
  binaries: ServerBinaries;
  /** undefined: the server runs as ourselves. */
  user: ServerUser | undefined;
}

/** The folder appears in one piece, with the data and the password in it, and belongs to the server's user. */
export interface ClusterPaths {
  folder: string;
  /** What PostgreSQL calls the data directory. */
  dataFolder: string;
  /** Mode 600. */
  passwordFile: string;
  logFolder: string;
  /** What the postmaster prints until its log collector runs. */
  startLog: string;
}

/** The paths inside a cluster folder, also while it has a temporary name. */
export function pathsInFolder(folder: string): ClusterPaths {
  return {
    folder,
    dataFolder: join(folder, 'data'),
    passwordFile: join(folder, 'password'),
    logFolder: join(folder, 'log'),
    startLog: join(folder, 'start.log'),
  };
}

/** Whether the cluster was made already. */
export async function clusterExists(paths: ClusterPaths): Promise<boolean> {
  return await lstat(paths.folder).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/**
 * Checks that our server can run on the data.
 *
 * @throws EmbeddedPostgresError `version_mismatch` when another major version made it
 * @throws EmbeddedPostgresError `not_a_cluster` when there is no version to read
 */
export async function assertMatchingVersion({ paths, binaries }: Cluster): Promise<void> {
  const file = join(paths.dataFolder, 'PG_VERSION');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      'not_a_cluster',
      `${paths.folder} holds no PostgreSQL cluster of Sluice (${file} cannot be read): ` +
        'move that folder away, or set SLUICE_DATA_DIR to another folder',
      { cause },
    );
  });
  if (text.trim() === binaries.majorVersion) return;
  throw new EmbeddedPostgresError(
    'version_mismatch',
    `The data in ${paths.dataFolder} was made by PostgreSQL ${text.trim()}, and this Sluice brings PostgreSQL ` +
      `${binaries.majorVersion}: run 'sluice backup' of the Sluice that made it, then 'sluice restore' of this one with ` +
      'SLUICE_DATA_DIR set to a new folder, or set DATABASE_URL',
  );
}

/**
 * The password of the superuser, made with the cluster.
 *
 * @throws EmbeddedPostgresError `password_unusable` when the file cannot be read
 */
export async function readPassword(paths: ClusterPaths): Promise<string> {
  try {
    return (await readFile(paths.passwordFile, 'utf8')).trim();
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'password_unusable',
      `The password of the embedded PostgreSQL cannot be read from ${paths.passwordFile}`,
      { cause },
    );
  }
}
