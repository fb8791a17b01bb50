import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Received, readForm } from './received.ts';

/** What a server does with one request. */
export type Act = (exchange: Exchange) => Promise<void> | void;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly received: Received;
}

/** Reads the whole request, then responds. */
export function respond(status: number, body: unknown = '', headers: OutgoingHttpHeaders = {}): Act {
  return async ({ request, response, received }) => {
    const form = await readForm(request);
    if (form !== undefined) received.form = form;
    send(response, status, body, headers);
  };
}

/** Responds before it reads any of the body, and leaves the body unread. */
export function respondEarly(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): Act {
  return ({ response }) => send(response, status, body, headers);
}

/** A refusal as the service words it (JSON:API 1.1, "Error Objects"). */
export function refuse(status: number, detail: string, headers: OutgoingHttpHeaders = {}): Act {
  return respond(status, { errors: [{ status: String(status), detail }] }, headers);
}

/** A page of HTML, as proxies and other web sites return. */
export function page(status: number): Act {
  return respond(status, '<!doctype html><title>Page</title>', { 'content-type': 'text/html' });
}

/** Reads the whole request and never responds. */
export const hang: Act = async ({ request, received }) => {
  const form = await readForm(request);
  if (form !== undefined) received.form = form;
};

/** Neither reads the body nor responds. */
export const neverRead: Act = ({ request }) => {
  request.pause();
};

/** Sends the beginning of a response, and then nothing more. */
export const hangInResponse: Act = async ({ request, response }) => {
  await readForm(request);
  response.writeHead(202, { 'content-length': 1000 }).write('{"data":');
};

/** Sends the beginning of a response, and then closes the connection. */
export const halfResponse: Act = async ({ request, response }) => {
  await readForm(request);
  response.writeHead(202, { 'content-length': 1000 }).write('{"data":', () => response.destroy());
};

/** Resets the connection as soon as a request has begun. */
export const reset: Act = ({ request }) => {
  request.socket.resetAndDestroy();
};

/** Closes the connection after this many bytes of the body. */
export function closeAfter(bytes: number): Act {
  return ({ request }) => {
    let read = 0;
    request.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read >= bytes) request.socket.destroy();
    });
    request.on('error', () => request.socket.destroy());
  };
}

/** Reads the body about 1 MB at a time, and responds when all of it is read. */
export function readSlowly(pauseMs: number, then: Act): Act {
  return async (exchange) => {
    const { request } = exchange;
    while (!request.readableEnded && !request.destroyed) {
      // The first read raises the buffer's size, the second takes what is buffered.
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
