import type { SystemUser } from '../../src/db/embedded/run-command.ts';
import { chooseServerUser } from '../../src/db/embedded/server-user.ts';

/**
 * Runs servers that refuse to run as root as a system user, in a folder accessible to everyone. `undefined` means the
 * current user.
 */
export async function serverAccount(folder: string): Promise<SystemUser | undefined> {
  const user = await chooseServerUser(folder);
  return user === 'mapped' ? undefined : user;
}
