import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_VERSION, type Document, sendDocument } from '../../jsonapi/document.ts';
import { ApiError, notFound, unsupportedMediaType } from '../../jsonapi/errors.ts';
import { ClientDisconnected } from '../../lib/client-disconnected.ts';
import { redactApiKeys, summarizeError } from '../../observability/log.ts';
import type { HttpMetrics } from '../../observability/metrics/http-metrics.ts';
import type { CommonHeaders } from './headers.ts';
import { unavailable } from './infrastructure-errors.ts';
import { discardBody, isAwaitingContinue } from './request-body.ts';
import { loggedPath } from './watch-requests.ts';

/** Converts every error into a JSON:API error document. */
export function registerErrorHandler(app: FastifyInstance, metrics: HttpMetrics): void {
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof ClientDisconnected) {
      request.log.info(error.message);
      reply.hijack();
      reply.raw.destroy();
      return reply;
    }
    // A request to an unknown path results in a 404, even if Fastify rejects it for another reason.
    const apiError =
      request.is404 && !(error instanceof ApiError) ? pathNotFound(request) : toApiError(error);
    logFailure(request.log, apiError);
    return await sendError(request, reply, apiError, metrics);
  });

  app.setNotFoundHandler(
    async (request, reply) => await sendError(request, reply, pathNotFound(request), metrics),
  );
}

/**
 * Handles requests that the router rejects before any hook runs, such as a path that is not percent-encoded UTF-8.
 */
export function frameworkErrorHandler(commonHeaders: CommonHeaders, metrics: HttpMetrics) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(commonHeaders(request.id));
    const apiError = toApiError(error);
    const { method, url } = request;
    const { status, code } = apiError;
    request.log.info({ method, url: loggedPath(url), status, code }, 'the request could not be routed');
    void sendError(request, reply, apiError, metrics);
  };
}

function pathNotFound(request: FastifyRequest): ApiError {
  return notFound(`The path ${request.url.split('?')[0] ?? ''} does not exist.`);
}

/** Fastify's client errors keep their status and message. The messages of other errors appear only in the log. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const known = unavailable(error);
  if (known !== undefined) return known;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (error instanceof Error && status >= 400 && status < 500) {
    // Routes accept all media types, so Fastify rejects only values that are not a media type.
    if (status === 415) return unsupportedMediaType('The Content-Type is not a valid media type');
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
    detail: 'An internal error occurred. For details, search the server log for the ID of this error.',
    cause: error,
  });
}

/**
 * Logs errors that require an operator, with their stack traces. Unavailable infrastructure would cause the same error
 * for every request, so it is logged in one line. Errors without a cause, such as a full queue, are expected and not
 * logged.
 */
function logFailure(log: FastifyBaseLogger, apiError: ApiError): void {
  const { status, code, cause } = apiError;
  if (status < 500 || (cause === undefined && status !== 500)) return;
  if (status === 503) log.warn({ code, reason: summarizeError(cause) }, 'the request was rejected');
  else log.error({ err: cause ?? apiError }, 'the request failed');
}

async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  metrics: HttpMetrics,
): Promise<FastifyReply> {
  metrics.errors.inc({ code: error.code });
  const bodyEnd = discardBody(request.raw);
  reply.code(error.status).headers(error.headers);
  const document = toErrorDocument(error, request.id);
  // A client that is still waiting for `100 Continue` will not send the body now, so the connection cannot be reused.
  if (isAwaitingContinue(request.raw)) reply.header('connection', 'close');
  // Without keep-alive, Node.js would close the connection after the response, even if the client is still sending.
  else if (!reply.raw.shouldKeepAlive) return await sendDocument(reply, document, bodyEnd);
  return await sendDocument(reply, document);
}

/** Builds the document of an error response. The error id is the request id, which is also in the log. */
export function toErrorDocument(error: ApiError, requestId: string): Document {
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
