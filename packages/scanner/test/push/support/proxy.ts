import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import http from 'node:http';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { listen } from './service.ts';

interface ProxyRequest {
  readonly method: string;
  /** The URL to forward to, or the host and port to tunnel to. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface TestProxy {
  /** `127.0.0.1:3128` */
  readonly address: string;
  readonly requests: readonly ProxyRequest[];
}

/**
 * A proxy that forwards and tunnels requests. It can also reject every request with the status `refuse`, or never respond.
 */
export async function startProxy(
  context: TestContext,
  { refuse, isSilent = false }: { readonly refuse?: number; readonly isSilent?: boolean } = {},
): Promise<TestProxy> {
  const requests: ProxyRequest[] = [];
  const record = ({ method = '', url = '', headers }: IncomingMessage) =>
    requests.push({ method, target: url, headers });
  const { port, server } = await listen(context, undefined, (request, response) => {
    record(request);
    if (isSilent) return;
    if (refuse === undefined) forward(request, response);
    else response.writeHead(refuse, { 'content-type': 'text/html' }).end('<html>No.</html>');
  });
  server.on('connect', (request, socket, head) => {
    record(request);
    socket.on('error', () => socket.destroy());
    if (isSilent) return;
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      target.write(head);
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  return { address: `127.0.0.1:${port}`, requests };
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { method, url = '', headers } = request;
  const { 'proxy-authorization': _, ...forwarded } = headers;
  const onward = http.request(url, { method, headers: forwarded, agent: false }, (upstream) => {
    response.writeHead(upstream.statusCode ?? 500, upstream.headers);
    upstream.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}
