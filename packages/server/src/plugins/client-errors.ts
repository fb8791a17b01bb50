import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import { ApiError } from '../jsonapi/errors.ts';
import type { HttpMetrics } from '../operations/metrics/http-metrics.ts';
import { errorDocument } from './error-handler.ts';

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not HTTP, so that not even such a request gets an answer of another form. */
export function answerClientError(metrics: HttpMetrics) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    const code = answer(error, socket);
    if (code !== undefined) metrics.errors.inc({ code });
  };
}

/** The code of the error that it was answered with; `undefined` where nobody is there to hear it. */
function answer(error: Error & { readonly code?: string }, socket: Socket): string | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const title = STATUS_CODES[status] ?? 'Bad Request';
  const apiError = new ApiError({
    status,
    code: 'bad_request',
    title,
    detail: `The HTTP request cannot be read: ${error.message}`,
  });
  const id = randomUUID();
  const body = JSON.stringify(errorDocument(apiError, id));
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${MEDIA_TYPE}\r\nX-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  return apiError.code;
}
