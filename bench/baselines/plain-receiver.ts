import { fileURLToPath } from 'node:url';
import { startChild } from '../process/child.ts';

/** Prefix of the paths that discard the request body. */
export const DISCARD = '/discard';

export interface PlainReceiver {
  /** `url` writes request bodies to disk; `discardUrl` discards them. */
  readonly url: string;
  readonly discardUrl: string;
  readonly stop: () => Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./plain-receiver-process.ts', import.meta.url));

/** Starts a separate process with an HTTP server that writes request bodies to disk, or discards them, without parsing them. */
export async function startPlainReceiver(folder: string): Promise<PlainReceiver> {
  const child = await startChild(SCRIPT, { PLAIN_RECEIVER_FOLDER: folder });
  const url = `http://127.0.0.1:${child.readyMessage}`;
  return { url, discardUrl: url + DISCARD, stop: child.stop };
}
