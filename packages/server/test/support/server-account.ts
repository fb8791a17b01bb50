import type { SystemUser } from '../../src/db/embedded/run-command.ts';
import { chooseServerUser } from '../../src/db/embedded/server-user.ts';

/** The system user to run a server as that refuses root, in a folder that everybody can reach; `undefined`: ourselves. */
export async function serverAccount(folder: string): Promise<SystemUser | undefined> {
  const user = await chooseServerUser(folder);
  return user === 'mapped' ? undefined : user;
}
