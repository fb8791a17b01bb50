import { once } from 'node:events';
import type { Server } from 'node:http';

/** Listens on a free port of this machine alone, and says which. */
export async function listenOnFreePort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
