import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openHttp,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request to S3, as passed to rules. */
export interface S3Request {
  readonly method: string;
  /** The path, with bucket and key. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Sequence number of the request within this operation, starting with 1. */
  readonly count: number;
  readonly operation: S3Operation;
}

export type S3Operation =
  | 'create'
  | 'part'
  | 'complete'
  | 'abort'
  | 'put'
  | 'get'
  | 'head'
  | 'delete'
  | 'list'
  | 'uploads';

/** A fault to inject instead of forwarding the request. */
export type Fault =
  | { readonly type: 'status'; readonly status: number; readonly code: string }
  /** The connection breaks after this many bytes of the request; nothing reaches the server. */
  | { readonly type: 'cut-request'; readonly afterBytes: number }
  /**
   * The server executes the request, but the connection breaks after this many bytes of the response (0: before the
   * response).
   */
  | { readonly type: 'cut-response'; readonly afterBytes: number }
  | { readonly type: 'silence' }
  /** The server responds as if it did not support a header. */
  | { readonly type: 'drop-header'; readonly name: string }
  | { readonly type: 'delay'; readonly ms: number };

export interface FaultProxy {
  readonly url: string;
  /** Decides which fault to inject into a request. Without a rule, all requests are forwarded. */
  rule: (request: S3Request) => Fault | undefined;
  /** All received requests, in order. */
  readonly requests: S3Request[];
  /** Multipart uploads in progress, with IDs, keys and start times, as listed. Completed uploads are removed. */
  readonly begun: { readonly path: string; readonly uploadId: string; at: Date }[];
  /** The age, in hours, with which objects are listed. 0: the age that the server reports. */
  agedHours: number;
  /** Page size of the upload list. */
  uploadsPerPage: number;
  readonly stop: () => Promise<void>;
}

/**
 * A proxy in front of an S3 server that simulates network and server faults. It also implements `If-None-Match: *` and
 * the list of multipart uploads, which the server behind it does not support.
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const counts = new Map<string, number>();
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => incoming.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const forward = async (
    method: string,
    path: string,
    headers: IncomingMessage['headers'],
    body?: Buffer,
  ): Promise<IncomingMessage> => {
    const request = openHttp(new URL(path, target), { method, headers, agent });
    request.end(body);
    const [upstream] = await once(request, 'response');
    return upstream;
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '', target);
    const operation = operationOf(incoming.method ?? '', query);
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    const request = {
      method: incoming.method ?? '',
      path,
      query,
      headers: incoming.headers,
      count,
      operation,
    };
    proxy.requests.push(request);
    const fault = proxy.rule(request);
    if (fault?.type === 'silence') return;
    if (fault?.type === 'drop-header') delete incoming.headers[fault.name];
    if (fault?.type === 'delay') await sleep(fault.ms);
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of incoming) {
      const bytes: Buffer = chunk;
      chunks.push(bytes);
      received += bytes.length;
      if (fault?.type === 'cut-request' && received >= fault.afterBytes)
        return void incoming.socket.destroy();
    }
    // The request has no body, or a shorter body.
    if (fault?.type === 'cut-request') return void incoming.socket.destroy();
    if (fault?.type === 'status') return sendError(response, fault.status, fault.code);
    if (incoming.headers['if-none-match'] === '*') {
      const existing = await forward('HEAD', path, {});
      existing.resume();
      if (existing.statusCode === 200) return sendError(response, 412, 'PreconditionFailed');
    }
    if (operation === 'uploads') return listUploads(request, response);
    const upstream = await forward(
      request.method,
      incoming.url ?? '',
      incoming.headers,
      Buffer.concat(chunks),
    );
    const body = withAge(Buffer.concat(await upstream.toArray()), operation === 'list' ? proxy.agedHours : 0);
    upstream.headers['content-length'] &&= String(body.length);
    if (operation === 'create') {
      const uploadId = /<UploadId>(.*?)<\/UploadId>/.exec(body.toString())?.[1];
      if (uploadId !== undefined) proxy.begun.push({ path, uploadId, at: new Date() });
    }
    if ((operation === 'complete' || operation === 'abort') && (upstream.statusCode ?? 500) < 300) {
      const finished = proxy.begun.findIndex(({ uploadId }) => uploadId === query.get('uploadId'));
      if (finished !== -1) proxy.begun.splice(finished, 1);
    }
    if (fault?.type === 'cut-response' && fault.afterBytes === 0) return void incoming.socket.destroy();
    response.writeHead(upstream.statusCode ?? 500, upstream.headers);
    if (fault?.type !== 'cut-response') return void response.end(body);
    // Forwards everything first, so that the other side has received a known amount of data when the connection breaks.
    await new Promise((resolve) => response.write(body.subarray(0, fault.afterBytes), resolve));
    incoming.socket.end();
  }

  function listUploads({ path, query }: S3Request, response: ServerResponse): void {
    const bucket = `${path.replace(/\/$/, '')}/`;
    const marker = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''].join('\0');
    const all = proxy.begun
      .map(({ path: object, uploadId, at }) => ({ key: object.slice(bucket.length), uploadId, at }))
      .filter(({ key }) => key.startsWith(query.get('prefix') ?? ''))
      .toSorted((a, b) => (`${a.key}\0${a.uploadId}` < `${b.key}\0${b.uploadId}` ? -1 : 1))
      .filter(({ key, uploadId }) => `${key}\0${uploadId}` > marker);
    const page = all.slice(0, proxy.uploadsPerPage);
    const last = page.at(-1);
    const uploads = page.map(
      ({ key, uploadId, at }) =>
        `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`,
    );
    const next =
      all.length > page.length && last !== undefined
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.uploadId}</NextUploadIdMarker>`
        : '<IsTruncated>false</IsTruncated>';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<ListMultipartUploadsResult>${next}${uploads.join('')}</ListMultipartUploadsResult>`);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${address.port}`,
    rule: () => undefined,
    requests: [],
    begun: [],
    agedHours: 0,
    uploadsPerPage: 1000,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function withAge(list: Buffer, hours: number): Buffer {
  if (hours === 0) return list;
  const time = new Date(Date.now() - hours * 3600 * 1000).toISOString();
  return Buffer.from(list.toString().replace(/<LastModified>.*?</g, `<LastModified>${time}<`));
}

function operationOf(method: string, query: URLSearchParams): S3Operation {
  if (query.has('uploads')) return method === 'GET' ? 'uploads' : 'create';
  if (query.has('list-type')) return 'list';
  if (query.has('partNumber')) return 'part';
  if (query.has('uploadId')) return method === 'DELETE' ? 'abort' : 'complete';
  if (method === 'PUT') return 'put';
  if (method === 'DELETE') return 'delete';
  return method === 'HEAD' ? 'head' : 'get';
}

function sendError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>injected by the proxy</Message></Error>`);
}
