import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';
import { TOKEN_PATH } from './authorization/authorization-server.ts';
import { type Fault, sendFault, takeFault } from './faults.ts';
import type { TokenRequest } from './request-log.ts';

export interface TokenEndpointOptions {
  readonly provider: Provider;
  /** Public URL of the emulator. */
  readonly url: string;
  readonly faults: readonly Fault[];
  readonly tokenRequests: TokenRequest[];
}

/** Hands requests over to the authorization server, but for those that are to meet a fault. */
export function tokenEndpoint(app: FastifyInstance, options: TokenEndpointOptions): void {
  const { host, protocol } = new URL(options.url);
  // The authorization server derives its own address from the request, which may have used another name.
  options.provider.proxy = true;
  const authorize = options.provider.callback();
  // Handed over before Fastify reads the body, which the authorization server reads itself.
  app.addHook('onRequest', async (request, reply) => {
    const fault = takeFault(options.faults, request.method, request.url);
    if (fault !== undefined && sendFault(fault, reply)) {
      options.tokenRequests.push({
        receivedAt: new Date(),
        status:
          typeof fault.response === 'number' ? fault.response : fault.response === 'disconnect' ? 0 : 200,
        error: null,
        detail: 'an injected fault',
        scope: null,
        proof: request.headers.dpop !== undefined,
      });
      return reply;
    }
    reply.hijack();
    const { headers } = request.raw;
    headers.host = host;
    headers['x-forwarded-host'] = host;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    authorize(request.raw, reply.raw);
    return reply;
  });
  const handedOver = async (): Promise<void> => {};
  app.post(TOKEN_PATH, handedOver);
  app.get('/oauth2/v1/keys', handedOver);
  app.get('/.well-known/openid-configuration', handedOver);
}
