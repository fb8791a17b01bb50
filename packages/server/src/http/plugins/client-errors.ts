import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { MEDIA_TYPE } from '../../jsonapi/document.ts';
import { ApiError, type ErrorCode } from '../../jsonapi/errors.ts';
import { maxHeaderSize, STATUS_CODES } from '../../lib/http-constants.ts';
import type { HttpMetrics } from '../../observability/metrics/http-metrics.ts';
import { errorDocument } from './error-handler.ts';
import type { CommonHeaders } from './headers.ts';

interface Fault {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
}

const KNOWN: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    detail: `The request line and headers are larger than ${maxHeaderSize} bytes.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    detail: 'The request headers were not received in time. GET /api/v1/limits returns the time limit.',
  },
};

type ClientError = Error & { readonly code?: string };
type ClientErrorHandler = (error: ClientError, socket: Socket) => void;

/**
 * Responds to invalid HTTP requests with a JSON:API error document, after the responses to earlier requests on the
 * connection. If a response is still being sent, the document would become part of it, so the connection is closed
 * instead, and the client receives a truncated response.
 */
export function clientErrorHandler(
  commonHeaders: CommonHeaders,
  metrics: HttpMetrics,
  responses: PendingResponses,
  log: FastifyBaseLogger,
): ClientErrorHandler {
  const rejected = new WeakSet<Socket>();
  return (error, socket) => {
    // Each further chunk of the invalid request causes another error event.
    if (rejected.has(socket)) return;
    rejected.add(socket);
    responses.ended(socket).then(
      () => reject(error, socket),
      () => socket.destroy(),
    );
  };

  function reject(error: ClientError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable || responses.isSending(socket)) {
      socket.destroy();
      return;
    }
    const detail = `The request is not valid HTTP: ${error.message}.`;
    const fault: Fault = KNOWN[error.code ?? ''] ?? { status: 400, code: 'bad_request', detail };
    metrics.errors.inc({ code: fault.code });
    const id = randomUUID();
    log.info({ requestId: id, status: fault.status, code: fault.code }, 'a request could not be read');
    const body = JSON.stringify(errorDocument(new ApiError(fault), id));
    const headers = {
      ...commonHeaders(id),
      'content-type': MEDIA_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end(
      `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
    );
  }
}

/** Tracks the pending responses of every connection. */
export class PendingResponses {
  /** In request order. Only the first response on a connection can have started to send data. */
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Tracks all requests to a server. */
  watch(server: Server): void {
    const track = (request: IncomingMessage, response: ServerResponse) =>
      this.#track(request.socket, response);
    // Track the response before any handler can send it.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, track);
  }

  /** Whether a response on this connection has been started but not finished, so that nothing else can be sent. */
  isSending(socket: Socket): boolean {
    const [first] = this.#bySocket.get(socket) ?? [];
    return first?.headersSent === true && !first.writableEnded;
  }

  /**
   * Resolves when the responses to all completely received requests on this connection have been sent, so that anything
   * sent afterwards cannot be mistaken for one of these responses. Resolves immediately if there are none.
   */
  async ended(socket: Socket): Promise<void> {
    const waiting = [...(this.#bySocket.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(waiting.map((response) => once(response, 'close')));
  }

  #track(socket: Socket, response: ServerResponse): void {
    const responses = this.#bySocket.get(socket) ?? new Set();
    this.#bySocket.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  }
}
