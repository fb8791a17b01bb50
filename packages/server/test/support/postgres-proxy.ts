import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy between a service and its PostgreSQL server that can drop the response to a statement, or all traffic. */
export interface PostgresProxy {
  readonly url: string;
  /**
   * Lets the next connection that sends this text forward it, and then breaks that connection on the service's side
   * only.
   */
  dropResponseTo(text: string): void;
  /** From now on, forwards no data and closes no connection, as if the database host dropped off the network. */
  fallSilent(): void;
  /** Number of dropped responses. */
  readonly dropped: () => number;
  readonly stop: () => Promise<void>;
}

export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let textToDrop: string | undefined;
  let dropped = 0;
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Broken connections are expected.
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    upstream.on('data', (bytes) => isSilent || client.write(bytes));
    client.on('data', (bytes: Buffer) => {
      if (isSilent) return;
      const isLost = textToDrop !== undefined && bytes.includes(textToDrop);
      if (!isLost) return void upstream.write(bytes);
      textToDrop = undefined;
      dropped++;
      upstream.removeAllListeners('data');
      // The server receives the statement and continues; the service receives nothing.
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
    dropResponseTo: (text) => {
      textToDrop = text;
    },
    fallSilent: () => {
      isSilent = true;
    },
    dropped: () => dropped,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
