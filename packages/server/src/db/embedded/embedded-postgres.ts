import { dirname } from 'node:path';
import { syncFolder } from '../../durable-folder.ts';
import {
  assertMatchingVersion,
  type Cluster,
  type ClusterPaths,
  clusterExists,
  readPassword,
} from './cluster.ts';
import { createCluster } from './create-cluster.ts';
import { locateCluster, makeDataDir } from './data-directory.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { ensureRunning } from './ensure-running.ts';
import { grantTraversal } from './grant-traversal.ts';
import { inaccessiblePaths } from './inaccessible-paths.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { removeAbandonedClusters } from './remove-abandoned-clusters.ts';
import { canMapUser } from './run-command.ts';
import { findServerBinaries } from './server-binaries.ts';
import { databaseUrl } from './server-connection.ts';
import { chooseServerUser } from './server-user.ts';

export interface EmbeddedPostgres {
  /** The connection string of the database `sluice`, as the superuser `postgres`. */
  url: string;
  /** False when a postmaster that another process started was found and is used. */
  startedByUs: boolean;
  /** Stops the postmaster, whoever started it; connections that are still open are closed. */
  stop(): Promise<void>;
}

/**
 * Makes sure that the PostgreSQL in the data directory runs: makes the cluster and the database `sluice` on the
 * first start, then uses the postmaster that already runs, or starts one. It runs until it is stopped, also when
 * this process ends. Several processes may call this at the same time.
 *
 * @throws EmbeddedPostgresError whose code says why, and whose message says what to do
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
    log(`making a new PostgreSQL cluster, ${cluster.paths.folder}`);
    await createCluster(cluster);
  }
  // For an existing cluster as well: the process that created it may have been killed before it could do so.
  await syncFolder(dirname(cluster.paths.folder));
  await assertMatchingVersion(cluster);
  const password = await readPassword(cluster.paths);
  const { port, startedByUs } = await ensureRunning(cluster, password, log);
  const what = startedByUs ? 'started PostgreSQL' : 'using the PostgreSQL that already runs';
  log(`${what}: port ${port}, data in ${cluster.paths.dataFolder}`);
  return { url: databaseUrl(port, password), startedByUs, stop: () => stopPostmaster(cluster) };
}

/**
 * The PostgreSQL that runs on the data directory; it may still be on its way up or down. Undefined when no
 * postmaster runs on it, or nothing is there. Makes and starts nothing.
 *
 * @throws EmbeddedPostgresError when that cannot be told, or the password cannot be read
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
 * Returns the cluster with a user who can access its files and programs. If folders are closed to the chosen user, a new
 * cluster gets `mapped`, which has the access rights of the current user.
 *
 * @throws EmbeddedPostgresError `unreachable_path` naming all closed folders and the remedies
 */
async function withReachableFiles(cluster: Cluster): Promise<Cluster> {
  const { paths, binaries, user } = cluster;
  if (user === undefined || user === 'mapped') return cluster;
  const dataDir = dirname(paths.folder);
  await grantTraversal(dataDir, user);
  const isNew = !(await clusterExists(paths));
  const closed = await inaccessiblePaths([dataDir, binaries.postgres], user).catch(async (error: unknown) => {
    if (isNew && (await canMapUser())) return undefined;
    throw error;
  });
  if (closed?.length === 0) return cluster;
  if (isNew && (await canMapUser())) return { ...cluster, user: 'mapped' };
  throw new EmbeddedPostgresError(
    'unreachable_path',
    `PostgreSQL refuses to run as root, so Sluice runs it as the ${user.name}, who cannot reach ${closed?.join(' and ')}: ` +
      `run \`chmod o+x ${closed?.join(' ')}\`, or set SLUICE_DATA_DIR to a folder elsewhere and move the checkout of Sluice ` +
      'elsewhere, or set DATABASE_URL to a PostgreSQL of your own',
  );
}
