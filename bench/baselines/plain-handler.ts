import { fileURLToPath } from 'node:url';
import { startChild } from '../process/child.ts';

/** What the handler says to every POST, or to every GET: bytes that a service has said. */
export interface PlainResponse {
  readonly status: number;
  /** Names and values by turns, as they came. */
  readonly headers: readonly string[];
  readonly body: string;
}

export interface PlainResponses {
  readonly post: PlainResponse;
  readonly get: PlainResponse;
}

export interface PlainHandler {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./plain-handler-process.ts', import.meta.url));

/** An HTTP server without any work, in a process of its own: what Node and the machine take by themselves. */
export async function startPlainHandler(responses: PlainResponses): Promise<PlainHandler> {
  const child = await startChild(SCRIPT, { PLAIN_RESPONSES: JSON.stringify(responses) });
  return { url: `http://127.0.0.1:${child.ready}`, stop: child.stop };
}
