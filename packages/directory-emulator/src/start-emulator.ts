import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import fastify from 'fastify';
import { Authenticator } from './authorization/authenticator.ts';
import { createAuthorizationServer } from './authorization/authorization-server.ts';
import { createClientKey } from './authorization/client-key.ts';
import { ENDPOINTS } from './management/endpoints.ts';
import { managementApi } from './management/management-api.ts';
import {
  type Emulator,
  type EmulatorOptions,
  OKTA_SCOPE_RESOURCES,
  originOf,
  SCOPE_RESOURCES,
  scopeName,
} from './options.ts';
import { readOrganization } from './organization/read-organization.ts';
import type { ApiRequest, TokenRequest } from './request-log.ts';
import { tokenEndpoint } from './token-endpoint.ts';

const CLIENT_ID = '0oaScannerServiceApp';

/** Starts an emulator on 127.0.0.1. The authorization server and the management API share one origin. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { dialect = 'directory', requireNonce = false, faults = [] } = options;
  const organization =
    typeof options.organization === 'string' ? readOrganization(options.organization) : options.organization;
  const key = await createClientKey(options.clientKey);
  const scopes = SCOPE_RESOURCES.map((resource) => scopeName(dialect, resource));
  const granted = options.grantedScopes ?? scopes;
  const isOkta = dialect === 'okta';
  const known = isOkta ? OKTA_SCOPE_RESOURCES.map((resource) => scopeName(dialect, resource)) : scopes;
  assertOptionsOfDialect(options);
  const publicOrigin = options.publicUrl === undefined ? undefined : originOf(options.publicUrl);
  const requests: ApiRequest[] = [];
  const tokenRequests: TokenRequest[] = [];

  // Listen before creating the authorization server, because the token issuer contains the port.
  const server = options.tls === undefined ? createServer() : createTlsServer({ ...options.tls });
  const port = await listen(server, options.port ?? 0);
  const address = `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const url = publicOrigin ?? address;
  const { provider, publicKey } = createAuthorizationServer({
    url,
    clientId: CLIENT_ID,
    publicKeyJwk: key.publicKeyJwk,
    scopes: { known, granted },
    dpop: options.dpop ?? 'required',
    requireNonce: requireNonce || isOkta,
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
    record: (request) => tokenRequests.push(request),
  });
  const app = fastify({
    serverFactory: (handler) => server.on('request', handler),
    routerOptions: { ignoreTrailingSlash: false },
  });
  await app.register(async (scope) => tokenEndpoint(scope, { provider, url, faults, tokenRequests }));
  await app.register(async (scope) =>
    managementApi(scope, {
      organization,
      url,
      role: options.role ?? 'super-admin',
      dialect,
      pageSize: options.pageSize ?? 20,
      rateLimit: options.rateLimit,
      endpointRateLimits: options.endpointRateLimits ?? {},
      missingFeatures: options.missingFeatures ?? [],
      authenticator: new Authenticator(publicKey, url, requireNonce && !isOkta),
      faults,
      requests,
    }),
  );
  await app.ready();
  return {
    ...key,
    url,
    address,
    clientId: CLIENT_ID,
    organization,
    requests,
    tokenRequests,
    faults,
    environment: () => ({
      DIRECTORY_ORG_URL: url,
      DIRECTORY_CLIENT_ID: CLIENT_ID,
      DIRECTORY_PRIVATE_KEY: key.privateKeyPem,
      ...(dialect === 'directory' ? {} : { DIRECTORY_DIALECT: dialect }),
      ...(options.grantedScopes === undefined ? {} : { DIRECTORY_SCOPES: granted.join(',') }),
    }),
    stop: () => stop(server),
  };
}

/** Only emulated Okta organizations support per-endpoint rate limits and disabled features. */
function assertOptionsOfDialect({ dialect, endpointRateLimits, missingFeatures }: EmulatorOptions): void {
  if (dialect !== 'okta' && endpointRateLimits !== undefined)
    throw new TypeError("endpointRateLimits requires the dialect 'okta'.");
  if (dialect !== 'okta' && missingFeatures !== undefined)
    throw new TypeError("missingFeatures requires the dialect 'okta'.");
  for (const path of Object.keys(endpointRateLimits ?? {}))
    if (!ENDPOINTS.some((endpoint) => endpoint.path === path))
      throw new TypeError(`Unknown endpoint '${path}' in endpointRateLimits.`);
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return address.port;
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
