import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { maxHeaderSize, STATUS_CODES } from '../http-constants.ts';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import type { ErrorCode } from '../jsonapi/error-titles.ts';
import { ApiError } from '../jsonapi/errors.ts';
import type { HttpMetrics } from '../operations/metrics/http-metrics.ts';
import type { CommonHeaders } from './common-headers.ts';
import { errorDocument } from './error-handler.ts';
import type { PendingResponses } from './pending-responses.ts';

interface Fault {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
}

const KNOWN: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers_too_large',
    detail: `The headers of the request, with its address, are larger than ${maxHeaderSize} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    detail: 'The headers of a request did not come in time; GET /api/v1/limits states in which',
  },
};

type ClientError = Error & { readonly code?: string };
type AnswerClientError = (error: ClientError, socket: Socket) => void;

/**
 * Answers what is not HTTP, so that not even such a request gets an answer of another form, after the answers to the
 * requests before it. In the middle of an answer it would become a part of that one: then the connection ends, and the
 * client sees that the answer is cut off.
 */
export function clientErrorHandler(
  commonHeaders: CommonHeaders,
  metrics: HttpMetrics,
  answers: PendingResponses,
  log: FastifyBaseLogger,
): AnswerClientError {
  const refused = new WeakSet<Socket>();
  return (error, socket) => {
    // Each further piece of it is another error.
    if (refused.has(socket)) return;
    refused.add(socket);
    answers.ended(socket).then(
      () => refuse(error, socket),
      () => socket.destroy(),
    );
  };

  function refuse(error: ClientError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable || answers.isInTheMiddle(socket)) {
      socket.destroy();
      return;
    }
    const detail = `The HTTP request cannot be read: ${error.message}`;
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
