import { chmod, chown, readdir, stat } from 'node:fs/promises';
import type { SystemUser } from './run-command.ts';

/**
 * Lets the server's user traverse a data directory that only root can access (mode 0700, as created by `mktemp -d`). Grants
 * execute permission to the user's group: others get no access, and the directory cannot be listed. Does not change a
 * directory that contains files of other programs.
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
