import type { SystemUser } from '../../src/db/embedded/run-command.ts';
import { chooseServerUser } from '../../src/db/embedded/server-user.ts';

/**
 * The system user for servers that refuse to run as root, in a folder accessible to everyone; `undefined`: the
 * current user.
 */
export async function serverAccount(folder: string): Promise<SystemUser | undefined> {
  const user = await chooseServerUser(folder);
  return user === 'mapped' ? undefined : user;
}
