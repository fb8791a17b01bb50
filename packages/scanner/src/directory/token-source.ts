import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import type { Fetch } from '../http/proxies.ts';
import type { Log } from '../terminal/log.ts';
import type { OrgAddress } from './org-address.ts';
import type { SigningKey } from './private-key.ts';
import type { DirectoryResponse } from './response.ts';
import { tokenRefusal } from './token-refusal.ts';
import type { Transport } from './transport.ts';

const ASSERTION_LIFETIME_SECONDS = 300;
/** Used if the server does not report the lifetime of a token (RFC 6749, section 5.1). */
const DEFAULT_LIFETIME_SECONDS = 3600;
const MAX_RENEWAL_LEAD_SECONDS = 300;

export interface AccessToken {
  readonly value: string;
  /** Creates the DPoP proofs for requests; `undefined` for a Bearer token. */
  readonly dpop: oauth.DPoPHandle | undefined;
  /** `undefined` if neither the token nor the response contains them. */
  readonly scopes: readonly string[] | undefined;
}

export interface TokenSettings extends OrgAddress {
  readonly clientId: string;
  readonly key: SigningKey;
  readonly scopes: readonly string[];
  /** `undefined` for the global `fetch`. */
  readonly fetch: Fetch | undefined;
}

/**
 * The access token that all requests of a scan share (RFC 6749, section 4.4, with RFC 7523 and RFC 9449), renewed
 * before it expires.
 */
export class TokenSource {
  readonly #settings: TokenSettings;
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #server: oauth.AuthorizationServer & { readonly token_endpoint: string };
  readonly #client: oauth.Client;
  #dpop: Promise<oauth.DPoPHandle> | undefined;
  #current: { readonly token: AccessToken; readonly renewAt: number } | undefined;
  #request: Promise<AccessToken> | undefined;

  constructor(settings: TokenSettings, transport: Transport, log: Log) {
    this.#settings = settings;
    this.#transport = transport;
    this.#log = log;
    this.#server = { issuer: settings.origin, token_endpoint: `${settings.origin}/oauth2/v1/token` };
    this.#client = { client_id: settings.clientId };
  }

  /** A valid token. Throws a ScannerError with the reason if the directory refuses it. */
  get(): Promise<AccessToken> {
    if (this.#current !== undefined && performance.now() < this.#current.renewAt)
      return Promise.resolve(this.#current.token);
    // While a token is being requested, other requests that need a token wait for it.
    this.#request ??= this.#fetch().finally(() => {
      this.#request = undefined;
    });
    return this.#request;
  }

  /** Discards a token that the directory no longer accepts; the next `get` requests a new one. */
  discard(token: AccessToken): void {
    if (this.#current?.token === token) this.#current = undefined;
  }

  async #fetch(): Promise<AccessToken> {
    this.#dpop ??= oauth.generateKeyPair('RS256').then((keyPair) => oauth.DPoP(this.#client, keyPair));
    const dpop = await this.#dpop;
    const endpoint = this.#server.token_endpoint;
    const request = { type: 'token', name: `POST ${endpoint}`, endpoint } as const;
    const response = await this.#transport.send(request, async ({ signal }) => {
      const response = await oauth.clientCredentialsGrantRequest(
        this.#server,
        this.#client,
        this.#clientAuthentication(),
        { scope: this.#settings.scopes.join(' ') },
        {
          DPoP: dpop,
          [oauth.allowInsecureRequests]: this.#settings.origin.startsWith('http:'),
          ...(this.#settings.fetch === undefined ? {} : { [oauth.customFetch]: this.#settings.fetch }),
          ...(signal === undefined ? {} : { signal }),
        },
      );
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
    return this.#accept(response, dpop);
  }

  #clientAuthentication(): oauth.ClientAuth {
    const { key, kid } = this.#settings.key;
    return oauth.PrivateKeyJwt(kid === undefined ? key : { key, kid }, {
      [oauth.modifyAssertion]: (_header, payload) => {
        // Directories compare the audience with the endpoint. `nbf` is removed to tolerate a clock that is slightly
        // fast.
        payload.aud = this.#server.token_endpoint;
        payload.exp = Math.floor(Date.now() / 1000) + ASSERTION_LIFETIME_SECONDS;
        delete payload.nbf;
      },
    });
  }

  async #accept(response: DirectoryResponse, dpop: oauth.DPoPHandle): Promise<AccessToken> {
    if (response.status !== 200) throw tokenRefusal(response, this.#settings);
    const { status, headers, text } = response;
    const granted = await oauth
      .processClientCredentialsResponse(this.#server, this.#client, new Response(text, { status, headers }))
      .catch((error: unknown) => {
        throw tokenRefusal(response, this.#settings, error);
      });
    const bound = granted.token_type.toLowerCase() === 'dpop';
    const token = {
      value: granted.access_token,
      dpop: bound ? dpop : undefined,
      scopes: scopesOf(granted.access_token) ?? splitScopes(granted.scope),
    };
    const lifetime = granted.expires_in ?? DEFAULT_LIFETIME_SECONDS;
    const lead = Math.min(MAX_RENEWAL_LEAD_SECONDS, lifetime / 4);
    this.#current = { token, renewAt: performance.now() + (lifetime - lead) * 1000 };
    this.#log.debug('Access token granted', {
      type: bound ? 'DPoP' : 'Bearer',
      lifetime,
      scopes: token.scopes,
    });
    return token;
  }
}

const claimsSchema = z.object({ scp: z.union([z.array(z.string()), z.string()]) });

/** Returns the scopes in the token. Only the directory verifies the token's signature. */
function scopesOf(accessToken: string): readonly string[] | undefined {
  if (accessToken.split('.').length !== 3) return undefined;
  try {
    const claims = claimsSchema.safeParse(decodeJwt(accessToken));
    if (!claims.success) return undefined;
    return typeof claims.data.scp === 'string'
      ? splitScopes(claims.data.scp)
      : splitScopes(claims.data.scp.join(' '));
  } catch {
    // An opaque token can look like a JWT. Its scopes are unknown.
    return undefined;
  }
}

function splitScopes(text: string | undefined): readonly string[] | undefined {
  const scopes = (text ?? '').split(/\s+/).filter((scope) => scope !== '');
  return scopes.length === 0 ? undefined : scopes;
}
