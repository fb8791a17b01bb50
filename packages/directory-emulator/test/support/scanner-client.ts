import { importPKCS8 } from 'jose';
import * as oauth from 'oauth4webapi';
import type { Emulator } from '../../src/index.ts';
import { OKTA_SCOPE_RESOURCES, SCOPE_RESOURCES } from '../../src/options.ts';

/** The test server has no TLS. */
const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

export interface ClientOptions {
  /** Default: all that the dialect `directory` has. */
  readonly scope?: string;
  /** PEM, PKCS#8; default the emulator's own. */
  readonly privateKey?: string;
  /** Default true. */
  readonly dpop?: boolean;
  /** Audience of the assertion; default the token endpoint. */
  readonly audience?: string;
}

export const ALL_SCOPES = SCOPE_RESOURCES.map((resource) => `directory.${resource}.read`).join(' ');
/** With the eleventh, for the groups of a user. */
export const ALL_OKTA_SCOPES = OKTA_SCOPE_RESOURCES.map((resource) => `okta.${resource}.read`).join(' ');

/** A client built of a library that knows nothing of the emulator. */
export interface ScannerClient {
  /** Throws what the library throws where the server refuses. */
  token(): Promise<oauth.TokenEndpointResponse>;
  /** With a token of its own, asked for once; repeats after a nonce challenge. */
  get(path: string): Promise<Response>;
  /** Objects of all pages, following `Link` headers, and the number of pages. */
  list(path: string): Promise<{ readonly items: readonly { id: string }[]; readonly pages: number }>;
}

export async function scannerClient(
  emulator: Emulator,
  { scope = ALL_SCOPES, privateKey, dpop = true, audience }: ClientOptions = {},
): Promise<ScannerClient> {
  const server = { issuer: emulator.url, token_endpoint: `${emulator.url}/oauth2/v1/token` };
  const client: oauth.Client = { client_id: emulator.clientId };
  const key = await importPKCS8(privateKey ?? emulator.privateKeyPem, 'RS256');
  const authentication = oauth.PrivateKeyJwt(key, {
    [oauth.modifyAssertion]: (_header, payload) => {
      payload.aud = audience ?? server.token_endpoint;
    },
  });
  const proofs = dpop ? { DPoP: oauth.DPoP(client, await oauth.generateKeyPair('ES256')) } : {};
  const options = { ...INSECURE, ...proofs };

  const token = () =>
    twice(async () => {
      const parameters = new URLSearchParams({ scope });
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authentication,
        parameters,
        options,
      );
      return oauth.processClientCredentialsResponse(server, client, response);
    });
  const ask = (path: string, accessToken: string) => {
    const url = new URL(path, emulator.url);
    return oauth.protectedResourceRequest(accessToken, 'GET', url, new Headers(), null, options);
  };
  let granted: Promise<oauth.TokenEndpointResponse> | undefined;
  const get = async (path: string): Promise<Response> => {
    granted ??= token();
    const { access_token } = await granted;
    try {
      return await twice(() => ask(path, access_token));
    } catch (error) {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
      throw error;
    }
  };
  /** A nonce challenge is the only refusal after which the library expects the same request again. */
  const twice = async <Value>(request: () => Promise<Value>): Promise<Value> => {
    try {
      return await request();
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return request();
    }
  };
  return { token, get, list: (path) => drain(get, path) };
}

async function drain(get: ScannerClient['get'], path: string) {
  const items: { id: string }[] = [];
  let pages = 0;
  let next: string | undefined = path;
  while (next !== undefined) {
    const response: Response = await get(next);
    if (response.status !== 200) throw new Error(`${next} returned ${response.status}`);
    const page: { id: string }[] = JSON.parse(await response.text());
    items.push(...page);
    pages += 1;
    next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return { items, pages };
}
