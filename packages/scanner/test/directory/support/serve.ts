import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';

/** Serves HTTP on a free port of 127.0.0.1 until the test ends. Resolves with the server's origin. */
export async function serve(test: TestContext, handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Responds to a token request with a bearer token for these scopes, separated by spaces. */
export function issueToken(response: ServerResponse, scope: string): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ access_token: 'opaque', token_type: 'Bearer', expires_in: 3600, scope }));
}
