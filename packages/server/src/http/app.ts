import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import type { KeyUsage } from '../auth/key-usage.ts';
import { Reads } from '../db/read-slots.ts';
import { createUploadSlots } from '../ingest/upload/upload-slots.ts';
import { assertAcceptable } from '../jsonapi/media-type.ts';
import { parseQueryString } from '../jsonapi/query.ts';
import { maxHeaderSize } from '../lib/http-constants.ts';
import { registerHealth } from '../observability/health.ts';
import { requestIdOf } from '../observability/log.ts';
import { registerMetrics } from '../observability/metrics/metrics.ts';
import type { Operations } from '../observability/operations.ts';
import type { ApiDependencies } from './endpoints/dependencies.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { registerEndpoints } from './endpoints/register-endpoints.ts';
import { registerOpenApi } from './openapi/openapi.ts';
import { createAccessControl } from './plugins/access.ts';
import { clientErrorHandler, PendingResponses } from './plugins/client-errors.ts';
import { frameworkErrorHandler, registerErrorHandler } from './plugins/error-handler.ts';
import { assertHeaders, createCommonHeaders } from './plugins/headers.ts';
import { limitConnections } from './plugins/limit-connections.ts';
import { watchMethods } from './plugins/method-not-allowed.ts';
import { createRateLimits } from './plugins/rate-limits.ts';
import { discardBody } from './plugins/request-body.ts';
import { watchRequests } from './plugins/watch-requests.ts';

export interface AppDependencies extends Omit<ApiDependencies, 'rates' | 'uploadSlots' | 'metrics'> {
  /** The base URL from the configuration, if set. */
  readonly configuredUrl: string | undefined;
  /** Connections for reads that are not urgent (`isUrgent`). */
  readonly readPool: pg.Pool;
  readonly keyUsage: KeyUsage;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly log: FastifyBaseLogger;
  readonly operations: Operations;
  /** Creates the endpoints of the API. */
  readonly endpoints: (dependencies: ApiDependencies) => readonly Endpoint[];
  /** Registers routes outside of the API. */
  readonly registerPages: (app: FastifyInstance) => void;
  /** False if metrics are served on a separate port. */
  readonly servesMetrics: boolean;
  /** See `Config`. */
  readonly validatesResponses: boolean;
}

/** How often connections are checked against the time limit for headers, in milliseconds. */
const CHECK_MS = 1000;

/** Builds the HTTP server, but does not start listening. */
export function buildApp({
  log,
  readPool,
  keyUsage,
  trustedProxies,
  operations,
  configuredUrl,
  endpoints: endpointsOf,
  registerPages,
  servesMetrics,
  validatesResponses,
  ...apiDependencies
}: AppDependencies): FastifyInstance {
  const { pool, limits } = apiDependencies;
  const { health, metrics, tracing } = operations;
  const commonHeaders = createCommonHeaders(configuredUrl);
  const responses = new PendingResponses();
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    genReqId: requestIdOf,
    connectionTimeout: limits.idleSeconds * 1000,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    // Documents and uploads have separate time limits, which are checked while the body is read.
    requestTimeout: 0,
    // `assertHeaders` rejects a missing Host header instead, because Node.js's error response is not a JSON:API
    // document.
    http: {
      requireHostHeader: false,
      headersTimeout: limits.headerSeconds * 1000,
      connectionsCheckingInterval: CHECK_MS,
    },
    // Fastify's 503 response is not a JSON:API document. Requests on open connections are handled until the server has
    // shut down.
    return503OnClosing: false,
    clientErrorHandler: clientErrorHandler(commonHeaders, metrics.http, responses, log),
    frameworkErrors: frameworkErrorHandler(commonHeaders, metrics.http),
    // Accept ids of any length: the maximum header size already limits the path length.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: maxHeaderSize,
      querystringParser: parseQueryString,
    },
  });
  app.removeAllContentTypeParsers();
  // Route handlers read the body as a stream.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.decorateRequest('access', null);
  watchRequests(app, { metrics: metrics.http, tracing });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request.id));
    // Otherwise, a client that reuses the connection could send a request while the server closes it.
    if (health.isStopping) reply.header('connection', 'close');
    assertHeaders(request.raw);
  });
  // Check the Accept header after authorization, so that unauthorized clients receive the authorization error first.
  app.addHook('preHandler', async (request) => assertAcceptable(request.headers.accept));
  app.addHook('onResponse', async (request) => {
    // The client may still be sending a body that has not been read.
    void discardBody(request.raw);
  });
  limitConnections(app.server, limits.maxConnections, log);
  responses.watch(app.server);
  // By default, Node.js sends `100 Continue` immediately. Authorize the request first.
  app.server.on('checkContinue', app.routing).on('checkExpectation', app.routing);
  watchMethods(app);
  registerErrorHandler(app, metrics.http);

  const rates = createRateLimits(limits);
  const dependencies = {
    ...apiDependencies,
    rates,
    uploadSlots: createUploadSlots(limits),
    metrics: metrics.http,
  };
  registerHealth(app, health);
  if (servesMetrics) registerMetrics(app, metrics.registry);
  registerPages(app);
  const endpoints = endpointsOf(dependencies);
  const reads = new Reads({ pool, readPool }, limits);
  registerEndpoints(app, endpoints, {
    limits,
    accessControl: createAccessControl({ pool, rates, keyUsage }),
    reads,
    validatesResponses,
  });
  registerOpenApi(app, endpoints, dependencies);
  return app;
}
