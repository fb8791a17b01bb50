import type { Socket } from 'node:net';
import { type Relay, startRelay } from '../../../server/test/support/relay.ts';

export interface FaultyProxy extends Relay {
  /** Truncates the next response that has this status. */
  readonly cutResponse: (status: number) => void;
  /** The number of truncated responses. */
  readonly cuts: () => number;
  /** Sends only a part of the next response whose head contains this text, and keeps the connection open. */
  readonly stallResponse: (text: string) => void;
  /** Closes the connection of the stalled response. */
  readonly disconnect: () => void;
}

/** A proxy between the browser and the service that simulates connection failures. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let prefixToCut: string | undefined;
  let textToStall: string | undefined;
  let stalled: Socket | undefined;
  let cuts = 0;
  const relay = await startRelay(target, (client, service) => {
    client.pipe(service);
    service.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      // Sends part of the response, because the browser retries automatically if it receives nothing.
      const part = bytes.subarray(0, bytes.length - 10);
      if (prefixToCut !== undefined && text.startsWith(prefixToCut)) {
        prefixToCut = undefined;
        cuts += 1;
        client.end(part);
      } else if (textToStall !== undefined && text.includes(textToStall)) {
        textToStall = undefined;
        stalled = client;
        client.write(part);
      } else if (client !== stalled) client.write(bytes);
    });
  });
  return {
    url: new URL(relay.url).origin,
    cutResponse: (status) => {
      prefixToCut = `HTTP/1.1 ${status} `;
    },
    cuts: () => cuts,
    stallResponse: (text) => {
      textToStall = text;
    },
    disconnect: () => stalled?.destroy(),
    stop: relay.stop,
  };
}
