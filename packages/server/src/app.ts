import { maxHeaderSize } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { allEndpoints } from './api/all-endpoints.ts';
import type { ApiDependencies } from './api/dependencies.ts';
import { registerOpenApi } from './api/openapi-routes.ts';
import { registerEndpoints } from './api/register-endpoints.ts';
import { registerDocs } from './features/docs/routes.ts';
import { registerHealth } from './features/health/routes.ts';
import { registerMetrics } from './features/metrics/routes.ts';
import { registerStartPage } from './features/start-page/routes.ts';
import { assertAcceptable } from './jsonapi/media-type.ts';
import { parseQueryString } from './jsonapi/query-string.ts';
import type { Operations } from './operations/operations.ts';
import { requestIdOf } from './operations/request-id.ts';
import { createGate } from './plugins/access.ts';
import { answerClientError } from './plugins/client-errors.ts';
import { answerFrameworkError, commonHeaders, registerErrorHandler } from './plugins/error-handler.ts';
import { watchMethods } from './plugins/method-not-allowed.ts';
import { createRateLimits } from './plugins/rate-limits.ts';
import { watchRequests } from './plugins/watch-requests.ts';

export interface AppDependencies extends Omit<ApiDependencies, 'rates' | 'metrics'> {
  readonly log: FastifyBaseLogger;
  readonly operations: Operations;
  /** Not where they have a port of their own. */
  readonly servesMetrics: boolean;
}

/** A connection on which nothing moves for this long is closed, in milliseconds. */
const INACTIVITY_MS = 120_000;

/** The HTTP API as an application that does not listen yet. */
export function buildApp({ log, operations, servesMetrics, ...given }: AppDependencies): FastifyInstance {
  const { pool, limits } = given;
  const { health, metrics, tracing } = operations;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    connectionTimeout: INACTIVITY_MS,
    // Fastify's own 503 is no JSON:API: what still comes on an open connection during a stop is answered as ever.
    return503OnClosing: false,
    clientErrorHandler: answerClientError(metrics.http),
    frameworkErrors: answerFrameworkError(metrics.http),
    // An id of any length is answered as an id: no path is longer than the header it comes in.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: maxHeaderSize,
      querystringParser: parseQueryString,
    },
  });
  app.removeAllContentTypeParsers();
  // Routes that take a body read it themselves, as a stream.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.decorateRequest('access', null);
  watchRequests(app, { metrics: metrics.http, tracing });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request.id));
  });
  // After the gate: who may not come in learns that first.
  app.addHook('preHandler', async (request) => assertAcceptable(request.headers.accept));
  // Node would ask for the body at once; here that waits until the request has been let in.
  app.server.on('checkContinue', (request, response) => app.routing(request, response));
  registerErrorHandler(app, metrics.http);

  const addMethodsLeftOpen = watchMethods(app);
  const rates = createRateLimits(limits);
  const dependencies = { ...given, rates, metrics: metrics.http };
  registerHealth(app, health);
  if (servesMetrics) registerMetrics(app, metrics.registry);
  registerStartPage(app, dependencies);
  registerDocs(app);
  const endpoints = allEndpoints(dependencies);
  registerEndpoints(app, endpoints, { limits, gate: createGate(pool, rates) });
  registerOpenApi(app, endpoints, dependencies);
  addMethodsLeftOpen();
  return app;
}
