import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Forwards TCP connections to a server, so that a test can withhold or change data. */
export interface Relay {
  /** The URL of the target with the address of the relay. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a relay to the host and port of `target`. `forward` handles the data of both sides of each connection. */
export async function startRelay(
  target: string,
  forward: (client: Socket, upstream: Socket) => void,
): Promise<Relay> {
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Broken connections are expected.
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.end());
    forward(client, upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
