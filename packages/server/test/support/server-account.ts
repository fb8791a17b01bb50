import type { SystemUser } from '../../src/db/embedded/run-command.ts';
import { chooseServerUser } from '../../src/db/embedded/server-user.ts';

/**
 * Returns the system user for a server that refuses to run as root, in a folder that every user can access.
 * `undefined` means the current user.
 */
export async function serverAccount(folder: string): Promise<SystemUser | undefined> {
  const user = await chooseServerUser(folder);
  return user === 'mapped' ? undefined : user;
}
