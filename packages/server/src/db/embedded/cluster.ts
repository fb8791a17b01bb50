import { lstat, readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDurableFolder } from '../../lib/durable-folder.ts';
import { codeOf } from '../../lib/errors.ts';
import type { ServerUser } from './run-command.ts';
import type { ServerBinaries } from './server-binaries.ts';

/** An embedded PostgreSQL: its files, its programs and its user. */
export interface Cluster {
  readonly paths: ClusterPaths;
  readonly binaries: ServerBinaries;
  /** `undefined`: the server runs as the current user. */
  readonly user: ServerUser | undefined;
}

export interface ClusterPaths {
  /** Created atomically with the data and the password in it. Belongs to the server's user. */
  readonly folder: string;
  /** PostgreSQL's data directory. */
  readonly dataFolder: string;
  /** Mode 600. */
  readonly passwordFile: string;
  readonly logFolder: string;
  /** The postmaster's output until its log collector starts. */
  readonly startLog: string;
}

/** Why the embedded PostgreSQL cannot be used. Stable, so that callers can switch on it. */
export type EmbeddedPostgresErrorCode =
  | 'unsupported_platform'
  | 'binaries_unusable'
  | 'unusable_path'
  | 'unreachable_path'
  | 'no_server_user'
  | 'wrong_owner'
  | 'not_a_cluster'
  | 'version_mismatch'
  | 'init_failed'
  | 'password_unusable'
  | 'start_failed'
  | 'not_responding'
  | 'stop_failed';

/** The embedded PostgreSQL cannot be used. The first line of the message contains the reason and the remedy. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Creates Sluice's data directory if it is missing.
 *
 * @throws EmbeddedPostgresError `unusable_path` if it cannot be created
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeDurableFolder(dataDir);
  } catch (cause) {
    const message = `cannot create the data directory ${dataDir}: ${cause}`;
    throw new EmbeddedPostgresError('unusable_path', message, { cause });
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
