import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as openHttp } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ApiDocument, ApiResponse, Ingestion } from './client.ts';
import { CLOSING, filePart, MULTIPART_TYPE, partHead } from './multipart.ts';
import type { TenantService } from './service.ts';

/** A request whose body the test sends piece by piece, with `request.write` and `request.end`. */
export interface OpenRequest {
  readonly request: ClientRequest;
  readonly response: Promise<ApiResponse<Ingestion>>;
  /** Resolves when the connection has accepted the bytes. */
  readonly send: (bytes: string | Uint8Array) => Promise<void>;
}

const GIVE_UP_MS = 60_000;

/** Opens POST /ingestions on a separate connection. Without a Content-Length, the body is chunked. */
export function openUpload(
  { url, key }: TenantService,
  headers: Readonly<Record<string, string>> = {},
): OpenRequest {
  // Without keep-alive, the Node.js client would close the connection after the response, even during the request.
  const agent = new Agent({ keepAlive: true });
  const request = openHttp(`${url}/api/v1/ingestions`, {
    method: 'POST',
    agent,
    signal: AbortSignal.timeout(GIVE_UP_MS),
    headers: { authorization: `Api-Key ${key}`, 'content-type': MULTIPART_TYPE, ...headers },
  });
  const response = new Promise<ApiResponse<Ingestion>>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => readUploadResponse(response).then(resolve, reject));
    request.on('close', () => agent.destroy());
  });
  // A test that fails before it awaits the response must not also report an unhandled rejection.
  response.catch(() => undefined);
  return {
    request,
    response,
    send: (bytes) => write(request, bytes),
  };
}

/** Uploads a file piece by piece, without loading the complete file into memory. */
export async function streamUpload(
  service: TenantService,
  pieces: Iterable<string | Uint8Array>,
): Promise<ApiResponse<Ingestion>> {
  const { request, response, send } = openUpload(service);
  await send(partHead(filePart('')));
  for (const piece of pieces) await send(piece);
  request.end(`\r\n${CLOSING}`);
  return await response;
}

/** A raw connection to the service that reads only on request. */
export async function openSocket({ url }: TenantService): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the connection is closed, even by a reset, for which `once` of node:events would reject. */
export async function closed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}

/** Writes the bytes and waits until the connection has accepted them. */
export async function write(to: ClientRequest | Socket, bytes: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    to.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function readUploadResponse(response: IncomingMessage): Promise<ApiResponse<Ingestion>> {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const body: ApiDocument<Ingestion> = JSON.parse(await text(response));
  return { status: response.statusCode ?? 0, headers, body };
}
