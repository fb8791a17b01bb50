import { randomBytes, randomUUID } from 'node:crypto';
import { chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../lib/durable-folder.ts';
import { codeOf } from '../../lib/errors.ts';
import { type Cluster, type ClusterPaths, EmbeddedPostgresError, pathsInFolder } from './cluster.ts';
import { runCommand, type ServerUser, type SystemUser } from './run-command.ts';

/** Maximum number of initdb output lines in an error message. */
const OUTPUT_LINES = 8;
/** No initdb takes this long: an older unfinished folder belongs to a killed process. */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

/**
 * Creates a cluster under a temporary name and renames it when it is complete and flushed. The caller flushes the new
 * name. If another process has created the cluster in the meantime, removes the new folder.
 *
 * @throws EmbeddedPostgresError `init_failed` with the output of initdb, or with the system error as its cause
 */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { folder } = cluster.paths;
  const unfinished = pathsInFolder(unfinishedPrefix(folder) + randomUUID());
  try {
    await makeFolder(unfinished, cluster);
    await runInitdb(unfinished, cluster);
    await syncFolder(unfinished.folder);
    await renameUnlessExists(unfinished.folder, folder);
  } catch (cause) {
    if (cause instanceof EmbeddedPostgresError) throw cause;
    const message = `cannot create the PostgreSQL cluster ${folder}: ${cause}`;
    throw new EmbeddedPostgresError('init_failed', message, { cause });
  } finally {
    await rm(unfinished.folder, { recursive: true, force: true });
  }
}

async function makeFolder(paths: ClusterPaths, { user }: Cluster): Promise<void> {
  await mkdir(paths.folder, { mode: 0o700 });
  const file = await open(paths.passwordFile, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(24).toString('base64url'));
    if (isOther(user)) await file.chown(user.uid, user.gid);
    await file.sync();
  } finally {
    await file.close();
  }
  if (isOther(user)) await chown(paths.folder, user.uid, user.gid);
}

/** Whether PostgreSQL runs as another user, who must own the files. */
function isOther(user: ServerUser | undefined): user is SystemUser {
  return user !== undefined && user !== 'mapped';
}

async function runInitdb(paths: ClusterPaths, { binaries, user }: Cluster): Promise<void> {
  const options = [
    `--pgdata=${paths.dataFolder}`,
    '--username=postgres',
    `--pwfile=${paths.passwordFile}`,
    '--auth=scram-sha-256',
    // The default, 4096, slows down each connection, and protects only passwords that can be guessed.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    // The builtin locale provider sorts and folds case in the same way on every machine, and no update can change that.
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
  const result = await runCommand(binaries.initdb, options, user);
  if (result.exitCode === 0) return;
  throw new EmbeddedPostgresError(
    'init_failed',
    `initdb could not create the PostgreSQL cluster ${paths.dataFolder}:\n` +
      result.output.split('\n').slice(-OUTPUT_LINES).join('\n'),
  );
}

async function renameUnlessExists(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

/** Removes unfinished clusters next to the cluster folder, which remain if a first start is interrupted. */
export async function removeAbandonedClusters(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(basename(unfinishedPrefix(folder)))) continue;
    const path = join(parent, name);
    if (Date.now() - (await createdAtMs(path)) > ABANDONED_AFTER_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Returns the creation time of a folder, or infinity if the process that created it has just renamed or removed it. */
async function createdAtMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** The prefix of the temporary names under which clusters are created. */
function unfinishedPrefix(folder: string): string {
  return `${folder}.new-`;
}
