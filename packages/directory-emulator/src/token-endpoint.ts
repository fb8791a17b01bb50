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

/** Passes requests to the authorization server, except for those with an injected fault. */
export function tokenEndpoint(app: FastifyInstance, options: TokenEndpointOptions): void {
  const { host, protocol } = new URL(options.url);
  // The authorization server derives its URL from the request, which may contain a different host name.
  options.provider.proxy = true;
  const authorize = options.provider.callback();
  // Runs before Fastify reads the body, because the authorization server reads the body itself.
  app.addHook('onRequest', async (request, reply) => {
    const fault = takeFault(options.faults, request.method, request.url);
    if (fault !== undefined && sendFault(fault, reply)) {
      options.tokenRequests.push({
        receivedAt: new Date(),
        status:
          typeof fault.response === 'number' ? fault.response : fault.response === 'disconnect' ? 0 : 200,
        error: null,
        detail: 'Injected fault',
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
  // The hook has already handled the request.
  const noop = async (): Promise<void> => {};
  app.post(TOKEN_PATH, noop);
  app.get('/oauth2/v1/keys', noop);
  app.get('/.well-known/openid-configuration', noop);
}
