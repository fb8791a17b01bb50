import { importPKCS8 } from 'jose';
import * as oauth from 'oauth4webapi';
import type { Emulator } from '../../src/index.ts';
import { OKTA_SCOPE_RESOURCES, SCOPE_RESOURCES } from '../../src/options.ts';

/** The emulator serves plain HTTP. */
const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

export interface ClientOptions {
  /** Default: all `directory.` scopes. */
  readonly scope?: string;
  /** A PEM key in PKCS#8 format. Default: the emulator's key. */
  readonly privateKey?: string;
  /** Default true. */
  readonly dpop?: boolean;
  /** The audience of the client assertion. Default: the token endpoint. */
  readonly audience?: string;
}

export const ALL_SCOPES = SCOPE_RESOURCES.map((resource) => `directory.${resource}.read`).join(' ');
/** All Okta scopes, including the eleventh scope, which is required to list a user's groups. */
export const ALL_OKTA_SCOPES = OKTA_SCOPE_RESOURCES.map((resource) => `okta.${resource}.read`).join(' ');

/** A client based on an independent OAuth library. */
export interface ScannerClient {
  /** Requests a token. Throws the library's errors. */
  token(): Promise<oauth.TokenEndpointResponse>;
  /** Sends a GET request with a cached token. Retries after a nonce challenge. */
  get(path: string): Promise<Response>;
  /** Follows `Link` headers. Returns the objects of all pages and the page count. */
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
    withNonceRetry(async () => {
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
  const sendRequest = (path: string, accessToken: string) => {
    const url = new URL(path, emulator.url);
    return oauth.protectedResourceRequest(accessToken, 'GET', url, new Headers(), null, options);
  };
  let granted: Promise<oauth.TokenEndpointResponse> | undefined;
  const get = async (path: string): Promise<Response> => {
    granted ??= token();
    const { access_token } = await granted;
    try {
      return await withNonceRetry(() => sendRequest(path, access_token));
    } catch (error) {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
      throw error;
    }
  };
  /** Retries a request after a nonce challenge, the only error after which the library requires a retry. */
  const withNonceRetry = async <Value>(request: () => Promise<Value>): Promise<Value> => {
    try {
      return await request();
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return request();
    }
  };
  return { token, get, list: (path) => readAllPages(get, path) };
}

async function readAllPages(get: ScannerClient['get'], path: string) {
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
