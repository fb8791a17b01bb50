import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../lib/errors.ts';
import { EmbeddedPostgresError, type ServerUser } from './run-command.ts';
import type { ServerBinaries } from './server-binaries.ts';

/** An embedded PostgreSQL: its files, its programs and its user. */
export interface Cluster {
  paths: ClusterPaths;
  binaries: ServerBinaries;
  /** `undefined`: the server runs as the current user. */
  user: ServerUser | undefined;
}

/** The folder, which is created atomically with the data and the password in it. It belongs to the server's user. */
export interface ClusterPaths {
  folder: string;
  /** PostgreSQL's data directory. */
  dataFolder: string;
  /** Mode 600. */
  passwordFile: string;
  logFolder: string;
  /** The postmaster's output until its log collector starts. */
  startLog: string;
}

/** The paths inside a cluster folder, which may have a temporary name. */
export function pathsInFolder(folder: string): ClusterPaths {
  return {
    folder,
    dataFolder: join(folder, 'data'),
    passwordFile: join(folder, 'password'),
    logFolder: join(folder, 'log'),
    startLog: join(folder, 'start.log'),
  };
}

/** Whether the cluster has been created. */
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
 * Asserts that the installed server can use the data.
 *
 * @throws EmbeddedPostgresError `version_mismatch` if another major version created it
 * @throws EmbeddedPostgresError `not_a_cluster` if its version cannot be read
 */
export async function assertMatchingVersion({ paths, binaries }: Cluster): Promise<void> {
  const file = join(paths.dataFolder, 'PG_VERSION');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      'not_a_cluster',
      `${paths.folder} is not a PostgreSQL cluster created by Sluice (cannot read ${file}): ` +
        'move that folder elsewhere, or set SLUICE_DATA_DIR to another folder',
      { cause },
    );
  });
  if (text.trim() === binaries.majorVersion) return;
  throw new EmbeddedPostgresError(
    'version_mismatch',
    `the data in ${paths.dataFolder} was created by PostgreSQL ${text.trim()}, but this version of Sluice includes ` +
      `PostgreSQL ${binaries.majorVersion}: run 'sluice backup' with the version that created it, then 'sluice restore' ` +
      'with this version and SLUICE_DATA_DIR set to a new folder, or set DATABASE_URL',
  );
}

/**
 * The superuser's password, which is created with the cluster.
 *
 * @throws EmbeddedPostgresError `password_unusable` if the file cannot be read
 */
export async function readPassword(paths: ClusterPaths): Promise<string> {
  try {
    return (await readFile(paths.passwordFile, 'utf8')).trim();
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'password_unusable',
      `cannot read the password of the embedded PostgreSQL from ${paths.passwordFile}`,
      { cause },
    );
  }
}
