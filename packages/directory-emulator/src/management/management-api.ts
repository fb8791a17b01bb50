import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  ApiError,
  forbidden,
  methodNotAllowed,
  missingFeature,
  notFound,
  tooManyRequests,
} from '../api-error.ts';
import type { AccessToken } from '../authorization/access-token.ts';
import type { Authenticator } from '../authorization/authenticator.ts';
import { type Fault, sendFault, takeFault } from '../faults.ts';
import {
  type AdminRole,
  type DialectName,
  type RateLimit,
  type ScopeResource,
  scopeName,
} from '../options.ts';
import type { Organization } from '../organization/organization.ts';
import type { ApiRequest } from '../request-log.ts';
import { requestIdHeader } from './dialect-names.ts';
import { ENDPOINTS } from './endpoints.ts';
import { linksOf } from './paging.ts';
import { RateLimits } from './rate-limiter.ts';

export interface ManagementApiOptions {
  readonly organization: Organization;
  readonly url: string;
  readonly role: AdminRole;
  readonly dialect: DialectName;
  readonly pageSize: number;
  readonly rateLimit: RateLimit | undefined;
  readonly endpointRateLimits: Readonly<Record<string, RateLimit>>;
  readonly missingFeatures: readonly ScopeResource[];
  readonly authenticator: Authenticator;
  readonly faults: Fault[];
  readonly requests: ApiRequest[];
}

/** The state of a request while it is processed. */
interface RequestState {
  readonly log: { -readonly [Field in keyof ApiRequest]: ApiRequest[Field] };
  readonly fault: Fault | undefined;
}

/**
 * Registers the read-only management API. For each request, the API applies injected faults and the rate limit, and
 * then checks the token, method, scope, and role, in this order.
 */
export function managementApi(app: FastifyInstance, options: ManagementApiOptions): void {
  const { authenticator, dialect, role, url } = options;
  const limits = new RateLimits({
    isPerEndpoint: dialect === 'okta',
    limit: options.rateLimit,
    limitsByEndpoint: options.endpointRateLimits,
  });
  app.decorateRequest('state');
  app.decorateRequest('token');

  app.addHook('onRequest', async (request, reply) => {
    const fault = takeFault(options.faults, request.method, request.url);
    const state: RequestState = { log: logOf(request), fault };
    request.setDecorator('state', state);
    options.requests.push(state.log);
    const limit = limits.take(request.routeOptions.url ?? 'no endpoint');
    reply.headers({ ...limit.headers, ...authenticator.headers(), [requestIdHeader(dialect)]: randomUUID() });
    if (fault !== undefined && sendFault(fault, reply)) return reply;
    if (limit.exceeded) throw tooManyRequests();
    const { method, headers } = request;
    const target = { method, headers, url: new URL(request.url, url).href };
    const token = await authenticator.authenticate(target, (proof) => {
      state.log.proof = proof;
    });
    request.setDecorator('token', token);
    if (method !== 'GET') throw methodNotAllowed();
    return undefined;
  });
  app.addHook('onSend', async (request, reply) => {
    request.getDecorator<RequestState>('state').log.status = reply.statusCode;
  });
  app.setErrorHandler((error, _request, reply) => {
    const apiError = error instanceof ApiError ? error : internalError(error);
    return reply.code(apiError.status).headers(apiError.headers).send(apiError.body());
  });
  app.setNotFoundHandler((request) => {
    throw notFound(request.url);
  });

  for (const endpoint of ENDPOINTS) {
    if (endpoint.onlyInOkta === true && dialect !== 'okta') continue;
    const scope = dialect === 'okta' ? (endpoint.oktaScope ?? endpoint.scope) : endpoint.scope;
    app.get(endpoint.path, (request, reply) => {
      const { scopes } = request.getDecorator<AccessToken>('token');
      if (!scopes.includes(scopeName(dialect, scope))) throw insufficientScope();
      if (role === 'none') throw forbidden();
      if (options.missingFeatures.includes(scope)) throw missingFeature();
      const { search, pathname } = new URL(request.url, url);
      const query = new URLSearchParams(search);
      const { body, next } = endpoint.respond({
        organization: options.organization,
        dialect,
        url,
        role,
        id: idOf(request.params),
        query,
        pageSize: options.pageSize,
        repeatCursor: request.getDecorator<RequestState>('state').fault?.response === 'repeat-cursor',
      });
      if (next !== undefined) reply.header('link', linksOf(`${url}${pathname}`, query, next));
      return reply.send(body);
    });
  }
}

function logOf(request: FastifyRequest): RequestState['log'] {
  const { method, url, headers } = request;
  return { method, path: url, headers, receivedAt: new Date(), status: 0, proof: 'none' };
}

function idOf(params: unknown): string {
  if (typeof params !== 'object' || params === null || !('id' in params)) return '';
  return typeof params.id === 'string' ? params.id : '';
}

/** Adds the `insufficient_scope` challenge (RFC 6750 section 3.1) to the vendor's error for missing permissions. */
function insufficientScope(): ApiError {
  const description = 'The access token provided does not contain the required scopes.';
  return forbidden({
    'WWW-Authenticate': `Bearer error="insufficient_scope", error_description="${description}"`,
  });
}

function internalError(error: unknown): ApiError {
  console.error(error);
  return new ApiError(500, 'E0000009', 'Internal Server Error');
}
