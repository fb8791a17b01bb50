import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type Behavior, type Exchange, respond } from './behaviors.ts';
import type { Certificate } from './certificate.ts';
import { accepted, dryRunReport, findingList, jobErrors, jobIs } from './documents.ts';
import type { Received } from './received-request.ts';

/** How a server handles successive requests of each type. The last behavior applies to all further requests. */
export interface Script {
  readonly limits?: readonly Behavior[];
  readonly uploads?: readonly Behavior[];
  readonly jobs?: readonly Behavior[];
  readonly errors?: readonly Behavior[];
  readonly warnings?: readonly Behavior[];
  readonly dryRuns?: readonly Behavior[];
  readonly findings?: readonly Behavior[];
  /** Enables TLS. */
  readonly certificate?: Certificate;
}

/** A scripted server on a free port. */
export interface TestService {
  readonly url: string;
  readonly port: number;
  /** All received requests in order. */
  readonly requests: readonly Received[];
  readonly uploads: () => readonly Received[];
  readonly polls: () => readonly Received[];
  /** The requests for lists of findings. */
  readonly lists: () => readonly Received[];
}

const REQUEST_TYPES = [
  ['limits', /\/limits$/],
  ['errors', /\/errors\?/],
  ['warnings', /\/warnings\?/],
  ['dryRuns', /\/dry-run$/],
  ['findings', /\/findings\?/],
  ['uploads', /\/ingestions$/],
  ['jobs', /\/ingestions\/[^/]+$/],
] as const;

/** Starts a server. By default, it accepts uncompressed uploads and reports all records as valid. */
export async function startService(context: TestContext, script: Script = {}): Promise<TestService> {
  const behaviors = {
    limits: [...(script.limits ?? [respond(404)])],
    uploads: [...(script.uploads ?? [accepted])],
    jobs: [...(script.jobs ?? [jobIs('completed', { processed: 3 })])],
    errors: [...(script.errors ?? [jobErrors([], {})])],
    warnings: [...(script.warnings ?? [respond(404)])],
    dryRuns: [...(script.dryRuns ?? [dryRunReport()])],
    findings: [...(script.findings ?? [findingList([])])],
  };
  const requests: Received[] = [];
  const next = ({ path }: Received): Behavior | undefined => {
    const [type] = REQUEST_TYPES.find(([, pattern]) => pattern.test(path)) ?? [];
    if (type === undefined) return undefined;
    return behaviors[type].length > 1 ? behaviors[type].shift() : behaviors[type][0];
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
    lists: () => requests.filter(({ path }) => /\/findings\?/.test(path)),
  };
}

/** Ignores errors from aborted requests. */
async function perform(behavior: Behavior, exchange: Exchange): Promise<void> {
  try {
    await behavior(exchange);
  } catch (error) {
    if (exchange.request.complete) throw error;
  }
}

/** Serves until the end of the test, then closes all connections. */
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

/** Returns a local port on which no server is listening. */
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
