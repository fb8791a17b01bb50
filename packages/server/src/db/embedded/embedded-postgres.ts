import { dirname } from 'node:path';
import { syncFolder } from '../../lib/durable-folder.ts';
import {
  assertMatchingVersion,
  type Cluster,
  type ClusterPaths,
  clusterExists,
  EmbeddedPostgresError,
  locateCluster,
  makeDataDir,
  readPassword,
} from './cluster.ts';
import { createCluster, removeAbandonedClusters } from './create-cluster.ts';
import { ensureRunning } from './ensure-running.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { canMapUser } from './run-command.ts';
import { findServerBinaries } from './server-binaries.ts';
import { databaseUrl } from './server-connection.ts';
import { chooseServerUser, grantTraversal, inaccessiblePaths } from './server-user.ts';

export interface EmbeddedPostgres {
  /** The connection string of the database `sluice` for the superuser `postgres`. */
  readonly url: string;
  /** Whether this process, not another, started the postmaster. */
  readonly startedByUs: boolean;
  /** Stops the postmaster, no matter which process started it, and closes open connections. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server in the data directory unless it is already running. The first start creates the cluster
 * and the database `sluice`. The server runs until it is stopped, even if this process exits. Several processes may
 * call this at the same time.
 *
 * @throws EmbeddedPostgresError with the reason as its code, and the remedy in its message
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  await makeDataDir(dataDir);
  const cluster = await withReachableFiles(await openCluster(await locateCluster(dataDir)));
  await removeAbandonedClusters(cluster.paths.folder);
  if (!(await clusterExists(cluster.paths))) {
    log(`creating the PostgreSQL cluster ${cluster.paths.folder}`);
    await createCluster(cluster);
  }
  // An existing cluster's name is flushed as well: the process that created it may have been killed before the flush.
  await syncFolder(dirname(cluster.paths.folder));
  await assertMatchingVersion(cluster);
  const password = await readPassword(cluster.paths);
  const { port, startedByUs } = await ensureRunning(cluster, password, log);
  const event = startedByUs ? 'started PostgreSQL' : 'using the running PostgreSQL';
  log(`${event}: port ${port}, data in ${cluster.paths.dataFolder}`);
  return { url: databaseUrl(port, password), startedByUs, stop: () => stopPostmaster(cluster) };
}

/**
 * Finds the PostgreSQL server that is running in the data directory, even if it is still starting or shutting down.
 * Resolves with `undefined` if no server is running or the directory has no cluster. Creates and starts nothing.
 *
 * @throws EmbeddedPostgresError if the server's state cannot be determined or the password cannot be read
 */
export async function findRunningPostgres(options: {
  dataDir: string;
}): Promise<{ url: string } | undefined> {
  const paths = await locateCluster(options.dataDir);
  if (!(await clusterExists(paths))) return undefined;
  const postmaster = await findPostmaster(await openCluster(paths));
  if (postmaster === undefined) return undefined;
  return { url: databaseUrl(postmaster.port, await readPassword(paths)) };
}

async function openCluster(paths: ClusterPaths): Promise<Cluster> {
  return { paths, binaries: await findServerBinaries(), user: await chooseServerUser(paths.folder) };
}

/**
 * Returns the cluster with a user who can access its files and programs. If the chosen user cannot, a new cluster gets
 * `mapped`, which has the access rights of the current user.
 *
 * @throws EmbeddedPostgresError `unreachable_path` that names all inaccessible folders and the remedies
 */
async function withReachableFiles(cluster: Cluster): Promise<Cluster> {
  const { paths, binaries, user } = cluster;
  if (user === undefined || user === 'mapped') return cluster;
  const dataDir = dirname(paths.folder);
  await grantTraversal(dataDir, user);
  const isNew = !(await clusterExists(paths));
  const inaccessible = await inaccessiblePaths([dataDir, binaries.postgres], user).catch(
    async (error: unknown) => {
      if (isNew && (await canMapUser())) return undefined;
      throw error;
    },
  );
  if (inaccessible?.length === 0) return cluster;
  if (isNew && (await canMapUser())) return { ...cluster, user: 'mapped' };
  throw new EmbeddedPostgresError(
    'unreachable_path',
    `PostgreSQL refuses to run as root, so Sluice runs it as the ${user.name}, who cannot access ${inaccessible?.join(' and ')}: ` +
      `run \`chmod o+x ${inaccessible?.join(' ')}\`, or set SLUICE_DATA_DIR to another folder and move the Sluice checkout, or ` +
      'set DATABASE_URL to your own PostgreSQL',
  );
}
