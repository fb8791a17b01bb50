import { once } from 'node:events';
import { createServer, connect as open, type Socket } from 'node:net';

export interface FaultyProxy {
  readonly url: string;
  /** Ends the next connection on which the service answers so, in the middle of the answer. */
  readonly cutResponse: (status: number) => void;
  /** How often it has done so. */
  readonly cuts: () => number;
  readonly stop: () => Promise<void>;
}

/** Stands between browser and service, as a network does that breaks at the worst moment. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let waitsFor: string | undefined;
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
      // What it ends with is told by its close.
      socket.on('error', () => undefined);
    }
    client.pipe(service);
    service.on('data', (bytes: Buffer) => {
      if (waitsFor !== undefined && bytes.toString('latin1').startsWith(waitsFor)) {
        waitsFor = undefined;
        cuts += 1;
        // Before any of it a browser would repeat the request by itself.
        client.end(bytes.subarray(0, bytes.length - 10));
      } else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cutResponse: (status) => {
      waitsFor = `HTTP/1.1 ${status} `;
    },
    cuts: () => cuts,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
