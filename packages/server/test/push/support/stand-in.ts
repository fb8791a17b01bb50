import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

export interface Received {
  readonly method: string;
  /** The target in the request line, with the query. It is absolute if the request was sent to a proxy. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; `undefined` sends no body. */
  readonly body?: unknown;
}

/** An HTTP server that replaces a real server in a test. */
export interface StandIn {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Starts a server that is stopped at the end of the test. If `respond` throws, the connection is closed and the test fails. */
export async function startStandIn(
  test: TestContext,
  respond: (request: Received) => Reply | Promise<Reply>,
): Promise<StandIn> {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url: target = '', headers } = incoming;
    const request = { method, target, headers, body: await buffer(incoming) };
    received.push(request);
    try {
      const { status, body } = await respond(request);
      response.writeHead(status, { 'content-type': 'application/vnd.api+json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    } catch (error) {
      response.destroy();
      throw error;
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  test.after(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${address.port}`, received };
}
