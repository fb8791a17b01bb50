import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Received, readForm } from './received-request.ts';

/** How a test server handles one request. */
export type Behavior = (exchange: Exchange) => Promise<void> | void;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly received: Received;
}

/** Reads the complete request, then responds. */
export function respond(status: number, body: unknown = '', headers: OutgoingHttpHeaders = {}): Behavior {
  return async ({ request, response, received }) => {
    const form = await readForm(request);
    if (form !== undefined) received.form = form;
    send(response, status, body, headers);
  };
}

/** Responds without reading the body. */
export function respondEarly(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): Behavior {
  return ({ response }) => send(response, status, body, headers);
}

/** An error response from the service (JSON:API 1.1, "Error Objects"). */
export function refuse(status: number, detail: string, headers: OutgoingHttpHeaders = {}): Behavior {
  return respond(status, { errors: [{ status: String(status), detail }] }, headers);
}

/** An HTML page, as returned by proxies and other web servers. */
export function page(status: number): Behavior {
  return respond(status, '<!doctype html><title>Page</title>', { 'content-type': 'text/html' });
}

/** Reads the complete request and never responds. */
export const hang: Behavior = async ({ request, received }) => {
  const form = await readForm(request);
  if (form !== undefined) received.form = form;
};

/** Neither reads the body nor responds. */
export const neverRead: Behavior = ({ request }) => {
  request.pause();
};

/** Sends the beginning of a response, then stalls. */
export const hangInResponse: Behavior = async ({ request, response }) => {
  await readForm(request);
  response.writeHead(202, { 'content-length': 1000 }).write('{"data":');
};

/** Sends the beginning of a response, then closes the connection. */
export const halfResponse: Behavior = async ({ request, response }) => {
  await readForm(request);
  response.writeHead(202, { 'content-length': 1000 }).write('{"data":', () => response.destroy());
};

/** Resets the connection when a request starts. */
export const reset: Behavior = ({ request }) => {
  request.socket.resetAndDestroy();
};

/** Closes the connection after receiving this many bytes of the body. */
export function closeAfter(bytes: number): Behavior {
  return ({ request }) => {
    let read = 0;
    request.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read >= bytes) request.socket.destroy();
    });
    request.on('error', () => request.socket.destroy());
  };
}

/** Reads the body slowly, about 1 MB at a time, then responds. */
export function readSlowly(pauseMs: number, then: Behavior): Behavior {
  return async (exchange) => {
    const { request } = exchange;
    while (!request.readableEnded && !request.destroyed) {
      // The first read increases the buffer size, and the second returns the buffered data.
      request.read(2 ** 20);
      request.read();
      await sleep(pauseMs);
    }
    if (request.complete) await then(exchange);
  };
}

function send(response: ServerResponse, status: number, body: unknown, headers: OutgoingHttpHeaders): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/vnd.api+json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}
