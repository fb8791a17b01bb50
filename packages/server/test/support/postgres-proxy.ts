import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a service and its PostgreSQL and can lose the answer to a statement, or all that is said. */
export interface PostgresProxy {
  readonly url: string;
  /** The next connection on which these words come passes them on, and then breaks on the service's side alone. */
  loseAnswerTo(words: string): void;
  /** From now on nothing gets through, either way, and no connection ends: as where the other machine has vanished. */
  fallSilent(): void;
  /** How many answers were lost. */
  readonly lost: () => number;
  readonly stop: () => Promise<void>;
}

export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let losing: string | undefined;
  let lost = 0;
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Broken connections are what this is for.
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    upstream.on('data', (bytes) => isSilent || client.write(bytes));
    client.on('data', (bytes: Buffer) => {
      if (isSilent) return;
      const isLost = losing !== undefined && bytes.includes(losing);
      if (!isLost) return void upstream.write(bytes);
      losing = undefined;
      lost++;
      upstream.removeAllListeners('data');
      // The server hears the statement and goes on by itself; the service hears nothing any more.
      upstream.write(bytes, () => client.destroy());
      upstream.resume();
    });
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    loseAnswerTo: (words) => {
      losing = words;
    },
    fallSilent: () => {
      isSilent = true;
    },
    lost: () => lost,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
