import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';
import { TOKEN_PATH } from './authorization/authorization-server.ts';
import { answerFault, type Fault, takeFault } from './faults.ts';
import type { TokenRequest } from './request-log.ts';

export interface TokenEndpointOptions {
  readonly provider: Provider;
  readonly faults: readonly Fault[];
  readonly tokenRequests: TokenRequest[];
}

/** Hands requests over to the authorization server, but for those that are to meet a fault. */
export function tokenEndpoint(app: FastifyInstance, options: TokenEndpointOptions): void {
  const authorize = options.provider.callback();
  // Handed over before Fastify reads the body, which the authorization server reads itself.
  app.addHook('onRequest', async (request, reply) => {
    const fault = takeFault(options.faults, request.method, request.url);
    if (fault !== undefined && answerFault(fault, reply)) {
      options.tokenRequests.push({
        receivedAt: new Date(),
        status: typeof fault.answer === 'number' ? fault.answer : fault.answer === 'disconnect' ? 0 : 200,
        error: null,
        detail: 'an injected fault',
        scope: null,
        proof: request.headers.dpop !== undefined,
      });
      return reply;
    }
    reply.hijack();
    authorize(request.raw, reply.raw);
    return reply;
  });
  const handedOver = async (): Promise<void> => {};
  app.post(TOKEN_PATH, handedOver);
  app.get('/oauth2/v1/keys', handedOver);
  app.get('/.well-known/openid-configuration', handedOver);
}
