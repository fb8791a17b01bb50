import { stat } from 'node:fs/promises';
import { codeOf } from '../../lib/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
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
