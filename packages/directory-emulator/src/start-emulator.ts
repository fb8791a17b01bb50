import { createServer, type Server } from 'node:http';
import fastify from 'fastify';
import { Authenticator } from './authorization/authenticator.ts';
import { createAuthorizationServer } from './authorization/authorization-server.ts';
import { clientKey } from './authorization/client-key.ts';
import { managementApi } from './management/management-api.ts';
import { type Emulator, type EmulatorOptions, SCOPE_RESOURCES, scopeName } from './options.ts';
import { readOrganization } from './organization/read-organization.ts';
import type { ApiRequest, TokenRequest } from './request-log.ts';
import { tokenEndpoint } from './token-endpoint.ts';

const CLIENT_ID = '0oaScannerServiceApp';

/** Starts an organization on 127.0.0.1: its authorization server and its management API on one origin. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { dialect = 'directory', requireNonce = false, faults = [] } = options;
  const organization =
    typeof options.organization === 'string' ? readOrganization(options.organization) : options.organization;
  const key = await clientKey(options.clientKey);
  const usual = SCOPE_RESOURCES.map((resource) => scopeName(dialect, resource));
  const known = dialect === 'okta' ? [...usual, scopeName(dialect, 'users')] : usual;
  const granted = options.grantedScopes ?? usual;
  const requests: ApiRequest[] = [];
  const tokenRequests: TokenRequest[] = [];

  // It listens first, because the issuer of the tokens is the URL with the port that it gets.
  const server = createServer();
  const url = await listen(server, options.port ?? 0);
  const { provider, publicKey } = createAuthorizationServer({
    url,
    clientId: CLIENT_ID,
    publicKeyJwk: key.publicKeyJwk,
    scopes: { known, granted },
    dpop: options.dpop ?? 'required',
    requireNonce,
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
    record: (request) => tokenRequests.push(request),
  });
  const app = fastify({
    serverFactory: (handler) => server.on('request', handler),
    routerOptions: { ignoreTrailingSlash: false },
  });
  await app.register(async (scope) => tokenEndpoint(scope, { provider, faults, tokenRequests }));
  await app.register(async (scope) =>
    managementApi(scope, {
      organization,
      url,
      role: options.role ?? 'super-admin',
      dialect,
      pageSize: options.pageSize ?? 20,
      rateLimit: options.rateLimit,
      authenticator: new Authenticator(publicKey, url, requireNonce),
      faults,
      requests,
    }),
  );
  await app.ready();
  return {
    ...key,
    url,
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

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
