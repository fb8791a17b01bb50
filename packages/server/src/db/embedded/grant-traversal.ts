import { chmod, chown, readdir, stat } from 'node:fs/promises';
import type { SystemUser } from './run-command.ts';

/**
 * Lets the user who runs PostgreSQL pass through a data directory that root keeps to itself (0700, as `mktemp -d`
 * makes it): by its group and only to pass, so that nobody else gets in and nobody can list it. A folder with
 * other things in it than ours is left as it is.
 */
export async function grantTraversal(dataDir: string, user: SystemUser): Promise<void> {
  const { uid, gid, mode } = await stat(dataDir);
  const isOpen = (mode & 0o001) !== 0 || (gid === user.gid && (mode & 0o010) !== 0);
  if (uid !== 0 || isOpen) return;
  const content = await readdir(dataDir);
  if (content.length > 0 && !content.includes('postgres')) return;
  await chown(dataDir, uid, user.gid);
  await chmod(dataDir, (mode & 0o7707) | 0o010);
}
