import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redactApiKeys } from '../../observability/log.ts';
import type { HttpMetrics } from '../../observability/metrics/http-metrics.ts';
import { readTraceparent, type Span, type Tracing } from '../../observability/traces/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

/**
 * Health checks and metrics scrapes are not traced, because they are so frequent that their traces would obscure all
 * other traces.
 */
const UNTRACED = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Records a log line, a metric and, if tracing is enabled, a span for every request that reaches the router. Requests
 * that are rejected before they reach the router are logged by the error handler and counted as errors.
 */
export function watchRequests(
  app: FastifyInstance,
  { metrics, tracing }: { readonly metrics: HttpMetrics; readonly tracing: Tracing },
): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', async (request) => {
    const route = routeOf(request);
    if (UNTRACED.has(route)) return;
    request.span = tracing.start(`${request.method} ${route}`, {
      kind: 'server',
      traceparent: readTraceparent(request.headers.traceparent),
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'sluice.request.id': request.id,
      },
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request;
    const aborted = isAborted(reply);
    const status = aborted ? 'aborted' : String(reply.statusCode);
    metrics.requestSeconds.observe({ method, route: routeOf(request), status }, reply.elapsedTime / 1000);
    request.span?.set({ 'http.response.status_code': reply.statusCode, 'sluice.aborted': aborted });
    request.span?.end(!aborted && reply.statusCode >= 500 ? new Error(`HTTP ${status}`) : undefined);
    request.log.info(
      {
        method,
        url: loggedPath(url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(aborted && { aborted }),
      },
      'request',
    );
  });
}

/** Returns the span of an API request. */
export function spanOf({ span }: FastifyRequest): Span {
  if (span === null) throw new Error('the request is not traced');
  return span;
}

/** Returns the route pattern, because the path would have too many distinct values for a metric label. */
function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none';
}

function isAborted({ raw }: FastifyReply): boolean {
  return !raw.writableFinished;
}

/**
 * Returns the request path for the log, without the query and without API keys that were sent in the path by mistake.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/);
  return redactApiKeys(path);
}
