import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { TokenRequest } from '../request-log.ts';

/** With `off`, proofs are ignored and all tokens are Bearer tokens. */
export type DpopMode = 'required' | 'optional' | 'off';

export const TOKEN_PATH = '/oauth2/v1/token';

interface ScopeRules {
  /** All scopes of the organization. */
  readonly known: readonly string[];
  /** Scopes of the service app. */
  readonly granted: readonly string[];
}

export interface AuthorizationServerOptions {
  /** Origin of the emulator, which is both the issuer and the audience of access tokens. */
  readonly url: string;
  readonly clientId: string;
  readonly publicKeyJwk: JsonWebKey;
  readonly scopes: ScopeRules;
  readonly dpop: DpopMode;
  readonly requireNonce: boolean;
  readonly tokenLifetimeSeconds: number;
  readonly record: (request: TokenRequest) => void;
}

export interface AuthorizationServer {
  readonly provider: Provider;
  /** Verifies access tokens. */
  readonly publicKey: KeyObject;
}

/**
 * Creates a real authorization server with one client, the service app. It supports the client credentials grant with
 * private_key_jwt (RFC 7523) and DPoP (RFC 9449). As in the vendor's JWT access tokens (RFC 9068), `scp` is an array.
 */
export function createAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const { url, clientId, dpop, scopes } = options;
  // Access tokens are opaque to clients, so they can be signed with an EC key, which is much faster to generate than
  // RSA.
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const resourceServer = {
    scope: scopes.granted.join(' '),
    audience: url,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  } as const;
  const provider = new Provider(url, {
    adapter: memoryAdapter(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    routes: { token: TOKEN_PATH, jwks: '/oauth2/v1/keys' },
    clients: [
      {
        client_id: clientId,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'RS256',
        id_token_signed_response_alg: 'ES256',
        jwks: { keys: [{ ...options.publicKeyJwk, use: 'sig', alg: 'RS256' }] },
      },
    ],
    clientAuthMethods: ['private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: ['RS256'], dPoPSigningAlgValues: ['RS256', 'ES256'] },
    responseTypes: [],
    scopes: scopes.known,
    ttl: { ClientCredentials: options.tokenLifetimeSeconds },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: {
        enabled: dpop !== 'off',
        nonceSecret: randomBytes(32),
        requireNonce: () => options.requireNonce,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        // Called after the client and its proof are verified, but before a token is issued.
        getResourceServerInfo: (ctx) => {
          if (dpop === 'required' && ctx.get('DPoP') === '')
            throw new errors.InvalidDpopProof('The DPoP proof JWT header is missing.');
          checkScopes(ctx.oidc.params?.scope, scopes);
          return resourceServer;
        },
      },
    },
    formats: {
      customizers: {
        jwt: (_ctx, token, { payload }) => {
          payload.scp = token.scope?.split(' ') ?? [];
          payload.cid = clientId;
          delete payload.scope;
        },
      },
    },
  });
  const record = (ctx: KoaContextWithOIDC, error?: errors.OIDCProviderError) =>
    options.record({
      receivedAt: new Date(),
      status: error?.statusCode ?? ctx.status,
      error: error?.error ?? null,
      detail: error?.error_detail ?? error?.error_description ?? null,
      scope: scopeOf(ctx),
      proof: ctx.get('DPoP') !== '',
    });
  provider.on('grant.success', (ctx) => record(ctx));
  provider.on('grant.error', record);
  provider.on('server_error', (_ctx, error) => console.error(error));
  return { provider, publicKey };
}

/** Stores client assertions and DPoP proofs in memory, so that the authorization server can reject replays. */
function memoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, AdapterPayload>();
  const nothing = async (): Promise<void> => {};
  return (model) => ({
    upsert: async (id, payload) => {
      entries.set(`${model} ${id}`, payload);
    },
    find: async (id) => entries.get(`${model} ${id}`),
    destroy: async (id) => {
      entries.delete(`${model} ${id}`);
    },
    // Required only for grants that involve a user. The emulator does not support these grants.
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
    revokeByGrantId: nothing,
  });
}

/** Throws the vendor's error for a missing, unknown, or ungranted scope. */
function checkScopes(requested: unknown, { known, granted }: ScopeRules): void {
  if (typeof requested !== 'string' || requested === '')
    throw new errors.InvalidScope('The scope parameter is required.', '');
  const scopes = requested.split(' ');
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0)
    throw new errors.InvalidScope(
      'One or more scopes are not configured for the authorization server resource.',
      unknown.join(' '),
    );
  const ungranted = scopes.filter((scope) => !granted.includes(scope));
  if (ungranted.length === scopes.length)
    throw new errors.ConsentRequired('You are not allowed any of the requested scopes.');
  if (ungranted.length > 0)
    throw new errors.InvalidScope(
      'One or more of the requested scopes are not granted to the service app.',
      ungranted.join(' '),
    );
}

function scopeOf(ctx: KoaContextWithOIDC): string | null {
  const scope = ctx.oidc.params?.scope;
  return typeof scope === 'string' ? scope : null;
}
