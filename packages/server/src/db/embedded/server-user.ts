import { chmod, chown, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../lib/errors.ts';
import { EmbeddedPostgresError } from './cluster.ts';
import { canMapUser, runCommand, type ServerUser, type SystemUser } from './run-command.ts';

/**
 * Returns the user to run PostgreSQL as; `undefined` means the current user. PostgreSQL refuses to run as root. If this
 * process runs as root, PostgreSQL runs as the owner of the cluster or, for a new cluster, as the `postgres` system
 * user, which is created if missing. If root owns the cluster, PostgreSQL runs as `mapped`. initdb requires a user with
 * a name, so a user without a name also creates the cluster as `mapped`.
 *
 * @throws EmbeddedPostgresError `wrong_owner` if this process cannot become the owner of the cluster
 * @throws EmbeddedPostgresError `no_server_user` if there is no user that PostgreSQL accepts
 */
export async function chooseServerUser(clusterFolder: string): Promise<ServerUser | undefined> {
  const ownUid = process.getuid?.();
  const owner = await ownerOf(clusterFolder);
  if (ownUid !== undefined && ownUid !== 0) return await chooseForUser(ownUid, owner, clusterFolder);
  if (owner?.uid === 0) {
    if (await canMapUser()) return 'mapped';
    throw new EmbeddedPostgresError(
      'wrong_owner',
      `the PostgreSQL cluster ${clusterFolder} belongs to root, but PostgreSQL refuses to run as root: ` +
        `run \`chown -R postgres ${clusterFolder}\``,
    );
  }
  return owner ?? (await findPostgresUser()) ?? (await createPostgresUser());
}

async function chooseForUser(
  ownUid: number,
  owner: SystemUser | undefined,
  clusterFolder: string,
): Promise<ServerUser | undefined> {
  if (owner !== undefined && owner.uid !== ownUid) {
    throw new EmbeddedPostgresError(
      'wrong_owner',
      `the PostgreSQL cluster ${clusterFolder} belongs to the ${owner.name}, but Sluice runs as the system user ` +
        `${ownUid}: run Sluice as the owner, or set SLUICE_DATA_DIR to another folder`,
    );
  }
  const { exitCode } = await runCommand('id', ['-un'], undefined);
  // Only initdb requires a user with a name; an existing cluster does not.
  if (exitCode === 0 || owner !== undefined) return undefined;
  if (await canMapUser()) return 'mapped';
  throw new EmbeddedPostgresError(
    'no_server_user',
    `PostgreSQL needs a user with a name, but the system user ${ownUid} has none, and user namespaces are not available: ` +
      'add the user to /etc/passwd, or set DATABASE_URL to your own PostgreSQL',
  );
}

async function ownerOf(folder: string): Promise<SystemUser | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid, name: `system user ${uid}` };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function findPostgresUser(): Promise<SystemUser | undefined> {
  const uid = await runCommand('id', ['-u', 'postgres'], undefined);
  const gid = await runCommand('id', ['-g', 'postgres'], undefined);
  if (uid.exitCode !== 0 || gid.exitCode !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output), name: 'postgres system user' };
}

async function createPostgresUser(): Promise<ServerUser> {
  const reasons: string[] = [];
  const create = async (command: string, args: string[]) => {
    // A failure matters only if the user is still missing at the end: another process may have created it first.
    const result = await runCommand(command, [...args, 'postgres'], undefined).catch((error: unknown) => ({
      output: String(error),
    }));
    reasons.push(`${command}: ${result.output}`);
  };
  await create('groupadd', ['--system', '--force']);
  await create('useradd', ['--system', '--gid', 'postgres', '--no-create-home', '--shell', '/bin/false']);
  const user = await findPostgresUser();
  if (user !== undefined) return user;
  if (await canMapUser()) return 'mapped';
  throw new EmbeddedPostgresError(
    'no_server_user',
    'PostgreSQL refuses to run as root, and the postgres system user is missing and could not be created: ' +
      'create it, or run Sluice as a normal user, or set DATABASE_URL',
    { cause: new Error(reasons.join('; ')) },
  );
}

/**
 * Lets the server's user traverse a data directory that only root can access (mode 0700, as created by `mktemp -d`).
 * Grants execute permission to the user's group: others get no access, and the directory cannot be listed. Does not
 * change a directory that contains files of other programs.
 */
export async function grantTraversal(dataDir: string, user: SystemUser): Promise<void> {
  const { uid, gid, mode } = await stat(dataDir);
  const isTraversable = (mode & 0o001) !== 0 || (gid === user.gid && (mode & 0o010) !== 0);
  if (uid !== 0 || isTraversable) return;
  const content = await readdir(dataDir);
  if (content.length > 0 && !content.includes('postgres')) return;
  await chown(dataDir, uid, user.gid);
  await chmod(dataDir, (mode & 0o7707) | 0o010);
}

/** Prints the first argument that the current user cannot traverse (or, for a file, execute). */
const PRINT_FIRST_INACCESSIBLE = 'for path do [ -x "$path" ] || { printf %s "$path"; exit 1; }; done';

/**
 * Returns the paths and parent folders that the user cannot traverse. A check as that user also covers access control
 * lists and mounts; below the first inaccessible folder, only the mode can be checked.
 *
 * @throws EmbeddedPostgresError `no_server_user` if root lacks the capability to become that user
 */
export async function inaccessiblePaths(paths: readonly string[], user: SystemUser): Promise<string[]> {
  const inaccessible = new Set<string>();
  for (const path of paths) {
    const ancestors = pathsFromRoot(path);
    const first = await firstInaccessible(ancestors, user);
    if (first === undefined) continue;
    inaccessible.add(first);
    for (const folder of ancestors.slice(ancestors.indexOf(first) + 1))
      if (!(await isAccessibleByMode(folder, user))) inaccessible.add(folder);
  }
  return [...inaccessible];
}

async function firstInaccessible(paths: readonly string[], user: SystemUser): Promise<string | undefined> {
  const result = await runCommand('/bin/sh', ['-c', PRINT_FIRST_INACCESSIBLE, 'sh', ...paths], user).catch(
    (cause: unknown) => {
      throw new EmbeddedPostgresError(
        'no_server_user',
        `PostgreSQL refuses to run as root, and root cannot switch to the ${user.name} here: ` +
          'run Sluice as a normal user, or set DATABASE_URL to your own PostgreSQL',
        { cause },
      );
    },
  );
  return result.exitCode === 0 ? undefined : result.output;
}

async function isAccessibleByMode(path: string, user: SystemUser): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0;
}

function pathsFromRoot(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...pathsFromRoot(parent), path];
}
