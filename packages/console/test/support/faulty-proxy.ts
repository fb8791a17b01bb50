import { type Relay, startRelay } from '../../../server/test/support/relay.ts';

export interface FaultyProxy extends Relay {
  /** Truncates the next response that has this status. */
  readonly cutResponse: (status: number) => void;
  /** The number of truncated responses. */
  readonly cuts: () => number;
}

/** A proxy between the browser and the service that simulates connection failures. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let prefixToCut: string | undefined;
  let cuts = 0;
  const relay = await startRelay(target, (client, service) => {
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
  return {
    url: new URL(relay.url).origin,
    cutResponse: (status) => {
      prefixToCut = `HTTP/1.1 ${status} `;
    },
    cuts: () => cuts,
    stop: relay.stop,
  };
}
