import { randomBytes, randomUUID } from 'node:crypto';
import { chown, mkdir, open, rename, rm } from 'node:fs/promises';
import { syncFolder } from '../../lib/durable-folder.ts';
import { codeOf } from '../../lib/error-code.ts';
import { type Cluster, type ClusterPaths, pathsInFolder } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { unfinishedPrefix } from './remove-abandoned-clusters.ts';
import { runCommand, type ServerUser, type SystemUser } from './run-command.ts';

/** Maximum number of initdb output lines in an error message. */
const outputLines = 8;

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
    throw new EmbeddedPostgresError(
      'init_failed',
      `cannot create the PostgreSQL cluster ${folder}: ${cause}`,
      {
        cause,
      },
    );
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
      result.output.split('\n').slice(-outputLines).join('\n'),
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
