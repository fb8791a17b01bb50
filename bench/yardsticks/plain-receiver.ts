import { fileURLToPath } from 'node:url';
import { startChild } from '../process/child.ts';

export interface PlainReceiver {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./plain-receiver-process.ts', import.meta.url));

/** An HTTP server that writes the body of a request to disk and looks at none of it, in a process of its own. */
export async function startPlainReceiver(folder: string): Promise<PlainReceiver> {
  const child = await startChild(SCRIPT, { PLAIN_RECEIVER_FOLDER: folder });
  return { url: `http://127.0.0.1:${child.said}`, stop: child.stop };
}
