import { once } from 'node:events';
import { createServer, connect as open, type Socket } from 'node:net';

export interface FaultyProxy {
  readonly url: string;
  /** Truncates the next response that has this status. */
  readonly cutResponse: (status: number) => void;
  /** The number of truncated responses. */
  readonly cuts: () => number;
  readonly stop: () => Promise<void>;
}

/** A proxy between the browser and the service that simulates connection failures. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let prefixToCut: string | undefined;
  let cuts = 0;
  const server = createServer((client) => {
    const service = open(Number(port), hostname);
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        service.destroy();
      });
      // The close handler also handles errors.
      socket.on('error', () => undefined);
    }
    client.pipe(service);
    service.on('data', (bytes: Buffer) => {
      if (prefixToCut !== undefined && bytes.toString('latin1').startsWith(prefixToCut)) {
        prefixToCut = undefined;
        cuts += 1;
        // Sends part of the response, because the browser retries automatically if it receives nothing.
        client.end(bytes.subarray(0, bytes.length - 10));
      } else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cutResponse: (status) => {
      prefixToCut = `HTTP/1.1 ${status} `;
    },
    cuts: () => cuts,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
