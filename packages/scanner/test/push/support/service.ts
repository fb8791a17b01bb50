import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type Act, type Exchange, respond } from './acts.ts';
import type { Certificate } from './certificate.ts';
import { accepted, jobErrors, jobIs } from './documents.ts';
import type { Received } from './received.ts';

/** What a server does with requests of each kind, in turn; the last one for all that follow. */
export interface Script {
  readonly limits?: readonly Act[];
  readonly uploads?: readonly Act[];
  readonly jobs?: readonly Act[];
  readonly errors?: readonly Act[];
  /** With it the server speaks TLS. */
  readonly certificate?: Certificate;
}

/** A server that behaves as a test wants, on a port of its own. */
export interface TestService {
  readonly url: string;
  readonly port: number;
  /** Every request that has come, in order. */
  readonly requests: readonly Received[];
  readonly uploads: () => readonly Received[];
  readonly polls: () => readonly Received[];
}

const KINDS = [
  ['limits', /\/limits$/],
  ['errors', /\/errors\?/],
  ['uploads', /\/ingestions$/],
  ['jobs', /\/ingestions\/[^/]+$/],
] as const;

/** Starts a server; without a script it takes every upload, uncompressed, and all of its records are good. */
export async function startService(context: TestContext, script: Script = {}): Promise<TestService> {
  const acts = {
    limits: [...(script.limits ?? [respond(404)])],
    uploads: [...(script.uploads ?? [accepted])],
    jobs: [...(script.jobs ?? [jobIs('completed', { processed: 3 })])],
    errors: [...(script.errors ?? [jobErrors([], {})])],
  };
  const requests: Received[] = [];
  const next = ({ path }: Received): Act | undefined => {
    const [kind] = KINDS.find(([, pattern]) => pattern.test(path)) ?? [];
    if (kind === undefined) return undefined;
    return acts[kind].length > 1 ? acts[kind].shift() : acts[kind][0];
  };
  const { port } = await listen(context, script.certificate, (request, response) => {
    const { method = '', url = '', headers } = request;
    const received: Received = { method, path: url, headers };
    requests.push(received);
    void perform(next(received) ?? respond(404), { request, response, received });
  });
  return {
    url: `${script.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    uploads: () => requests.filter(({ method }) => method === 'POST'),
    polls: () => requests.filter(({ path }) => /\/ingestions\/[^/]+$/.test(path)),
  };
}

/** A client that goes away in the middle is no fault of the server. */
async function perform(act: Act, exchange: Exchange): Promise<void> {
  try {
    await act(exchange);
  } catch (error) {
    if (exchange.request.complete) throw error;
  }
}

/** Serves until the test has ended, whatever connections are open then. */
export async function listen(
  context: TestContext,
  certificate: Certificate | undefined,
  handler: RequestListener,
): Promise<{ readonly port: number; readonly server: http.Server }> {
  const server =
    certificate === undefined ? http.createServer(handler) : https.createServer(certificate, handler);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  context.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: portOf(server.address()) };
}

/** A port of this machine that nobody listens on: it was free a moment ago. */
export async function closedPort(): Promise<number> {
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
