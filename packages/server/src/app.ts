import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import type { KeyUsage } from './access/key-usage.ts';
import { allEndpoints } from './api/all-endpoints.ts';
import type { ApiDependencies } from './api/dependencies.ts';
import { registerOpenApi } from './api/openapi-routes.ts';
import { registerEndpoints } from './api/register-endpoints.ts';
import { registerConsole } from './features/console/routes.ts';
import { registerDocs } from './features/docs/routes.ts';
import { registerHealth } from './features/health/routes.ts';
import { registerMetrics } from './features/metrics/routes.ts';
import { maxHeaderSize } from './http-constants.ts';
import { assertAcceptable } from './jsonapi/media-type.ts';
import { parseQueryString } from './jsonapi/query-string.ts';
import type { Operations } from './operations/operations.ts';
import { requestIdOf } from './operations/request-id.ts';
import { createAccessControl } from './plugins/access.ts';
import { assertHeaders } from './plugins/assert-headers.ts';
import { clientErrorHandler } from './plugins/client-errors.ts';
import { createCommonHeaders } from './plugins/common-headers.ts';
import { frameworkErrorHandler, registerErrorHandler } from './plugins/error-handler.ts';
import { limitConnections } from './plugins/limit-connections.ts';
import { watchMethods } from './plugins/method-not-allowed.ts';
import { PendingResponses } from './plugins/pending-responses.ts';
import { createRateLimits } from './plugins/rate-limits.ts';
import { watchRequests } from './plugins/watch-requests.ts';
import { Reads } from './reads.ts';
import { discardBody } from './request/discard-body.ts';
import { createUploadSlots } from './upload/upload-slots.ts';

export interface AppDependencies extends Omit<ApiDependencies, 'rates' | 'uploadSlots' | 'metrics'> {
  /** For reads that are not urgent. */
  readonly readPool: pg.Pool;
  readonly keyUsage: KeyUsage;
  /** Whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly log: FastifyBaseLogger;
  readonly operations: Operations;
  /** Not where they have a port of their own. */
  readonly servesMetrics: boolean;
}

/** How often connections are looked at whose headers are late, in milliseconds. */
const CHECK_MS = 1000;

/** The HTTP API as an application that does not listen yet. */
export function buildApp({
  log,
  readPool,
  keyUsage,
  trustedProxies,
  operations,
  servesMetrics,
  ...given
}: AppDependencies): FastifyInstance {
  const { pool, limits } = given;
  const { health, metrics, tracing } = operations;
  const commonHeaders = createCommonHeaders(given.configuredUrl);
  const answers = new PendingResponses();
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    genReqId: requestIdOf,
    connectionTimeout: limits.idleSeconds * 1000,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    // Bodies have no common time: documents and uploads are watched where they are read.
    requestTimeout: 0,
    // Node's own refusals have no document: a missing Host and an unknown Expect are refused by `assertHeaders`.
    http: {
      requireHostHeader: false,
      headersTimeout: limits.headerSeconds * 1000,
      connectionsCheckingInterval: CHECK_MS,
    },
    // Fastify's own 503 is no JSON:API: what still comes on an open connection during a stop is answered as ever.
    return503OnClosing: false,
    clientErrorHandler: clientErrorHandler(commonHeaders, metrics.http, answers, log),
    frameworkErrors: frameworkErrorHandler(commonHeaders, metrics.http),
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
    // A client that reuses the connection would lose a request that arrives when it is closed.
    if (health.isStopping) reply.header('connection', 'close');
    assertHeaders(request.raw);
  });
  // After the gate: who may not come in learns that first.
  app.addHook('preHandler', async (request) => assertAcceptable(request.headers.accept));
  app.addHook('onResponse', async (request) => {
    // A body that nobody wanted, and that may never end.
    void discardBody(request.raw);
  });
  limitConnections(app.server, limits.maxConnections, log);
  answers.watch(app.server);
  // Node would ask for the body at once; here that waits until the request has been let in.
  app.server.on('checkContinue', app.routing).on('checkExpectation', app.routing);
  watchMethods(app);
  registerErrorHandler(app, metrics.http);

  const rates = createRateLimits(limits);
  const dependencies = { ...given, rates, uploadSlots: createUploadSlots(limits), metrics: metrics.http };
  registerHealth(app, health);
  if (servesMetrics) registerMetrics(app, metrics.registry);
  registerConsole(app, dependencies);
  registerDocs(app);
  const endpoints = allEndpoints(dependencies);
  const reads = new Reads({ pool, readPool }, limits);
  registerEndpoints(app, endpoints, { limits, gate: createAccessControl({ pool, rates, keyUsage }), reads });
  registerOpenApi(app, endpoints, dependencies);
  return app;
}
