import { fileURLToPath } from 'node:url';
import { startChild } from '../process/child.ts';

/** What the path of a request begins with whose body is thrown away. */
export const DISCARD = '/discard';

export interface PlainReceiver {
  /** Where the body of a request is written to disk, and where it is thrown away. */
  readonly url: string;
  readonly discardUrl: string;
  readonly stop: () => Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./plain-receiver-process.ts', import.meta.url));

/** An HTTP server that writes the body of a request to disk, or throws it away, and looks at none of it: a process of its own. */
export async function startPlainReceiver(folder: string): Promise<PlainReceiver> {
  const child = await startChild(SCRIPT, { PLAIN_RECEIVER_FOLDER: folder });
  const url = `http://127.0.0.1:${child.ready}`;
  return { url, discardUrl: url + DISCARD, stop: child.stop };
}
