import { fileURLToPath } from 'node:url';
import { startChild } from '../process/child.ts';

/** A recorded response that the handler returns for all POST requests or all GET requests. */
export interface PlainResponse {
  readonly status: number;
  /** Alternating header names and values, in the order received. */
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

/** Starts a separate process with an HTTP server that does no work, to measure the cost of Node and the machine alone. */
export async function startPlainHandler(responses: PlainResponses): Promise<PlainHandler> {
  const child = await startChild(SCRIPT, { PLAIN_RESPONSES: JSON.stringify(responses) });
  return { url: `http://127.0.0.1:${child.readyMessage}`, stop: child.stop };
}
