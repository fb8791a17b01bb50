import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redactApiKeys } from '../access/redact-api-keys.ts';
import { API_VERSION, type Document } from '../jsonapi/document.ts';
import { ApiError, notFound, unsupportedMediaType } from '../jsonapi/errors.ts';
import { sendDocument } from '../jsonapi/send-document.ts';
import { summarizeError } from '../operations/describe-error.ts';
import type { HttpMetrics } from '../operations/metrics/http-metrics.ts';
import { ClientDisconnected } from '../request/client-disconnected.ts';
import { discardBody } from '../request/discard-body.ts';
import { isAwaitingContinue } from '../request/expect-continue.ts';
import type { CommonHeaders } from './common-headers.ts';
import { loggedPath } from './logged-path.ts';
import { unavailable } from './unavailable.ts';

/** One place that turns whatever was thrown into a JSON:API error document. */
export function registerErrorHandler(app: FastifyInstance, metrics: HttpMetrics): void {
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof ClientDisconnected) {
      request.log.info(error.message);
      reply.hijack();
      reply.raw.destroy();
      return reply;
    }
    // What Fastify requires of a request, such as a Content-Type of QUERY, does not matter where nothing is.
    const answer = request.is404 && !(error instanceof ApiError) ? nothingAt(request) : toApiError(error);
    logFailure(request.log, answer);
    return await sendError(request, reply, answer, metrics);
  });

  app.setNotFoundHandler(
    async (request, reply) => await sendError(request, reply, nothingAt(request), metrics),
  );
}

function nothingAt(request: FastifyRequest): ApiError {
  return notFound(`There is nothing at ${request.url.split('?')[0] ?? ''}`);
}

/** Answers what the router refuses before any hook runs, such as a path that is not percent-encoded UTF-8. */
export function frameworkErrorHandler(commonHeaders: CommonHeaders, metrics: HttpMetrics) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(commonHeaders(request.id));
    const answer = toApiError(error);
    const { method, url } = request;
    const { status, code } = answer;
    request.log.info({ method, url: loggedPath(url), status, code }, 'a request could not be routed');
    void sendError(request, reply, answer, metrics);
  };
}

/**
 * What an operator has to look into, with its stack. What the service stands on and is away would fill the log with the
 * same of every request, so that is one line; an answer without a cause, such as that of a full queue, is as planned.
 */
function logFailure(log: FastifyBaseLogger, answer: ApiError): void {
  const { status, code, cause } = answer;
  if (status < 500 || (cause === undefined && status !== 500)) return;
  if (status === 503) log.warn({ code, reason: summarizeError(cause) }, 'the request was refused');
  else log.error({ err: cause ?? answer }, 'the request failed');
}

/** The document of an error answer; its id is the request's, so that a log line can be found by it. */
export function errorDocument(error: ApiError, requestId: string): Document {
  return {
    errors: [
      {
        id: requestId,
        status: String(error.status),
        code: error.code,
        title: error.title,
        detail: redactApiKeys(error.message),
        ...(error.source && { source: error.source }),
        ...(error.meta && { meta: error.meta }),
      },
    ],
    meta: { version: API_VERSION },
  };
}

async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  metrics: HttpMetrics,
): Promise<FastifyReply> {
  metrics.errors.inc({ code: error.code });
  const bodyIsOver = discardBody(request.raw);
  reply.code(error.status).headers(error.headers);
  const document = errorDocument(error, request.id);
  // A client that still waits for `100 Continue` will never send the body now, so the connection cannot go on.
  if (isAwaitingContinue(request.raw)) reply.header('connection', 'close');
  // Where the connection is not kept, Node closes it at the answer's end, also on a client that still sends.
  else if (!reply.raw.shouldKeepAlive) return await sendDocument(reply, document, bodyIsOver);
  return await sendDocument(reply, document);
}

/** What Fastify itself refuses keeps its status and words; the words of any other error stay in the log. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const known = unavailable(error);
  if (known !== undefined) return known;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (error instanceof Error && status >= 400 && status < 500) {
    // Any media type goes to its route; Fastify itself refuses only what is none.
    if (status === 415) return unsupportedMediaType('The Content-Type is no media type');
    return new ApiError({
      status,
      code: 'bad_request',
      detail: error.message,
      cause: error,
    });
  }
  return new ApiError({
    status: 500,
    code: 'internal_error',
    detail: 'The service failed; the id of this error is in its log',
    cause: error,
  });
}
