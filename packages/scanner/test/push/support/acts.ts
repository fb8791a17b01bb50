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

/** Reads the whole request, then answers. */
export function answer(status: number, body: unknown = '', headers: OutgoingHttpHeaders = {}): Act {
  return async ({ request, response, received }) => {
    const form = await readForm(request);
    if (form !== undefined) received.form = form;
    respond(response, status, body, headers);
  };
}

/** Answers before anything of the body is read, and leaves the rest unread. */
export function answerEarly(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): Act {
  return ({ response }) => respond(response, status, body, headers);
}

/** A refusal as the service words it (JSON:API 1.1, "Error Objects"). */
export function refuse(status: number, detail: string, headers: OutgoingHttpHeaders = {}): Act {
  return answer(status, { errors: [{ status: String(status), detail }] }, headers);
}

/** A page of HTML, as proxies and other web sites answer. */
export function page(status: number): Act {
  return answer(status, '<!doctype html><title>Page</title>', { 'content-type': 'text/html' });
}

/** Reads the whole request and never answers. */
export const hang: Act = async ({ request, received }) => {
  const form = await readForm(request);
  if (form !== undefined) received.form = form;
};

/** Neither reads the body nor answers. */
export const neverRead: Act = ({ request }) => {
  request.pause();
};

/** Sends the beginning of an answer, and then nothing any more. */
export const hangInAnswer: Act = async ({ request, response }) => {
  await readForm(request);
  response.writeHead(202, { 'content-length': 1000 }).write('{"data":');
};

/** Sends the beginning of an answer, and then closes the connection. */
export const halfAnswer: Act = async ({ request, response }) => {
  await readForm(request);
  response.writeHead(202, { 'content-length': 1000 }).write('{"data":', () => response.destroy());
};

/** Resets the connection as soon as a request has begun. */
export const reset: Act = ({ request }) => {
  request.socket.resetAndDestroy();
};

/** Closes the connection when so many bytes of the body have come. */
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

/** Reads the body in sips of about 1 MB, and answers when all is read. */
export function readSlowly(pauseMs: number, then: Act): Act {
  return async (exchange) => {
    const { request } = exchange;
    while (!request.readableEnded && !request.destroyed) {
      // The first one raises what is kept ready, the second one takes what is there.
      request.read(2 ** 20);
      request.read();
      await sleep(pauseMs);
    }
    if (request.complete) await then(exchange);
  };
}

function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders,
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/vnd.api+json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}
