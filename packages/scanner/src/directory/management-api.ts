import * as oauth from 'oauth4webapi';
import type { Fetch } from '../http/proxies.ts';
import { ScannerError } from '../lib/errors.ts';
import { type ApiRequest, expectedValue, nameOf, querySearch } from './api-request.ts';
import { type Dialect, type ScopeResource, scopeName } from './dialect.ts';
import { endpointOf } from './endpoint-budget.ts';
import { nextCursor } from './next-cursor.ts';
import { type Read, read } from './read-result.ts';
import {
  type DirectoryResponse,
  failed,
  isFeatureMissing,
  missingScope,
  NoResponseError,
  readResponse,
} from './response.ts';
import type { AccessToken, TokenSource } from './token-source.ts';
import type { Attempt, Transport } from './transport.ts';

/** A client for the management API. Methods return a `Read` that contains the value or the problem. */
export class ManagementApi {
  readonly dialect: Dialect;
  readonly #origin: string;
  readonly #transport: Transport;
  readonly #tokens: TokenSource;
  readonly #grantedScopes: readonly string[] | undefined;
  readonly #fetch: Fetch | undefined;

  constructor(options: {
    readonly dialect: Dialect;
    readonly origin: string;
    readonly transport: Transport;
    readonly tokens: TokenSource;
    readonly grantedScopes: readonly string[] | undefined;
    /** `undefined` for the global `fetch`. */
    readonly fetch: Fetch | undefined;
  }) {
    this.dialect = options.dialect;
    this.#origin = options.origin;
    this.#transport = options.transport;
    this.#tokens = options.tokens;
    this.#grantedScopes = options.grantedScopes;
    this.#fetch = options.fetch;
  }

  /** Reads one object. */
  async object<Value>(request: ApiRequest<Value>): Promise<Read<Value>> {
    const page = await this.#page(request, undefined);
    if (page.kind === 'unread') return page;
    const value = request.schema.safeParse(page.value.body);
    return value.success
      ? read(value.data)
      : failed(`${nameOf(request)} did not return ${expectedValue(value.error)}`);
  }

  /** Reads all pages of a list. Fails if a page cannot be read. */
  async list<Value>(request: ApiRequest<Value>): Promise<Read<readonly Value[]>> {
    const values: Value[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = await this.#page(request, cursor);
      if (page.kind === 'unread') return page;
      if (!Array.isArray(page.value.body)) return failed(`${nameOf(request)} did not return a list`);
      const elements: readonly unknown[] = page.value.body;
      for (const element of elements) {
        const value = request.schema.safeParse(element);
        if (!value.success)
          return failed(
            `${nameOf(request)} returned a list in which element ${values.length + 1} is not ${expectedValue(value.error)}`,
          );
        values.push(value.data);
      }
      const next = page.value.next;
      if (next === undefined) return read(values);
      if (next === null)
        return failed(`${nameOf(request)} returned a link to the next page without a cursor`);
      if (cursors.has(next)) return failed(`${nameOf(request)} returned the same next page twice`);
      cursors.add(next);
      cursor = next;
    }
  }

  /** Sends a GET request. Throws a NoResponseError, or the ScannerError for a refused token. */
  async get(path: string, query: Readonly<Record<string, string>>): Promise<DirectoryResponse> {
    const url = this.#url(path, query);
    const { response, token } = await this.#send(url);
    // The directory may have revoked the token before it expired: retry once with a new one.
    if (response.status !== 401 || token === undefined || isFeatureMissing(response)) return response;
    this.#tokens.discard(token);
    return (await this.#send(url)).response;
  }

  /** A failed read if the access token is known to lack the scope; `undefined` otherwise. */
  missingScope(resource: ScopeResource, name: string): Read<never> | undefined {
    const scope = scopeName(this.dialect, resource);
    const granted = this.#grantedScopes === undefined || this.#grantedScopes.includes(scope);
    return granted ? undefined : missingScope(name, scope);
  }

  async #page(
    request: ApiRequest<unknown>,
    after: string | undefined,
  ): Promise<Read<{ readonly body: unknown; readonly next: string | null | undefined }>> {
    const name = nameOf(request);
    const notGranted = this.missingScope(request.scope, name);
    if (notGranted !== undefined) return notGranted;
    const scope = scopeName(this.dialect, request.scope);
    const query = { ...request.query, ...(after === undefined ? {} : { after }) };
    let response: DirectoryResponse;
    try {
      response = await this.get(request.path, query);
    } catch (error) {
      if (error instanceof NoResponseError) return failed(`${name} ${error.message}`);
      if (error instanceof ScannerError)
        return failed(`${name} was not sent, because a new access token was refused: ${error.message}`);
      throw error;
    }
    const body = readResponse(response, { name, scope, isFeature: request.isFeature });
    if (body.kind === 'unread') return body;
    return read({
      body: body.value,
      next: nextCursor(response.headers.get('link'), this.#url(request.path, query)),
    });
  }

  #url(path: string, query: Readonly<Record<string, string>>): URL {
    const url = new URL(path, this.#origin);
    url.search = querySearch(query);
    return url;
  }

  /** The response, and the token that the last attempt used. */
  async #send(
    url: URL,
  ): Promise<{ readonly response: DirectoryResponse; readonly token: AccessToken | undefined }> {
    let used: AccessToken | undefined;
    const endpoint = endpointOf(url.pathname);
    const request = { type: 'api', name: `GET ${url.pathname}`, endpoint } as const;
    const response = await this.#transport.send(request, async (attempt) => {
      const token = await this.#tokens.get();
      used = token;
      const options = {
        ...(token.dpop === undefined ? {} : { DPoP: token.dpop }),
        ...(attempt.signal === undefined ? {} : { signal: attempt.signal }),
        [oauth.allowInsecureRequests]: this.#origin.startsWith('http:'),
        ...(this.#fetch === undefined ? {} : { [oauth.customFetch]: this.#fetch }),
      };
      const response = await oauth
        .protectedResourceRequest(token.value, 'GET', url, this.#headers(attempt), null, options)
        .catch((error: unknown) => {
          // Treat a challenge like any other response.
          if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
          throw error;
        });
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
    return { response, token: used };
  }

  /** The vendor asks clients to send the request ID and the retry count in retries. */
  #headers({ retry, previous }: Attempt): Headers {
    const headers = new Headers({ accept: 'application/json' });
    const prefix = this.dialect.headerPrefix;
    const requestId = previous?.headers.get(`${prefix}-Request-Id`);
    if (retry > 0) headers.set(`${prefix}-Retry-Count`, String(retry));
    if (retry > 0 && requestId) headers.set(`${prefix}-Retry-For`, requestId);
    return headers;
  }
}
