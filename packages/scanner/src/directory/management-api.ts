import * as oauth from 'oauth4webapi';
import type { Fetch } from '../http/fetch-through.ts';
import { ScannerError } from '../scanner-error.ts';
import { type ApiRequest, nameOf, querySearch, wanted } from './api-request.ts';
import { type Dialect, type ScopeResource, scopeName } from './dialect.ts';
import { endpointOf } from './endpoint-budget.ts';
import { nextCursor } from './next-cursor.ts';
import { NoResponseError } from './no-response-error.ts';
import { type Read, read } from './read.ts';
import { failed, isFeatureMissing, missingScope, responseProblem } from './response-problem.ts';
import type { AccessToken, TokenSource } from './token-source.ts';
import type { Attempt, DirectoryResponse, Transport } from './transport.ts';

/** Reads the management API; what a response means for a scan is in the Read that it returns. */
export class ManagementApi {
  readonly dialect: Dialect;
  readonly #origin: string;
  readonly #transport: Transport;
  readonly #tokens: TokenSource;
  readonly #grantedScopes: readonly string[] | undefined;
  readonly #fetch: Fetch | undefined;

  constructor(parts: {
    readonly dialect: Dialect;
    readonly origin: string;
    readonly transport: Transport;
    readonly tokens: TokenSource;
    readonly grantedScopes: readonly string[] | undefined;
    /** `undefined`: the global one. */
    readonly fetch: Fetch | undefined;
  }) {
    this.dialect = parts.dialect;
    this.#origin = parts.origin;
    this.#transport = parts.transport;
    this.#tokens = parts.tokens;
    this.#grantedScopes = parts.grantedScopes;
    this.#fetch = parts.fetch;
  }

  /** One object. */
  async object<Value>(request: ApiRequest<Value>): Promise<Read<Value>> {
    const page = await this.#page(request, undefined);
    if (page.kind === 'unread') return page;
    const value = request.schema.safeParse(page.value.body);
    return value.success
      ? read(value.data)
      : failed(`${nameOf(request)} returned something else than ${wanted(value.error)}`);
  }

  /** All elements of a list, however many pages it has; one page that fails leaves the whole list unread. */
  async list<Value>(request: ApiRequest<Value>): Promise<Read<readonly Value[]>> {
    const values: Value[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = await this.#page(request, cursor);
      if (page.kind === 'unread') return page;
      if (!Array.isArray(page.value.body))
        return failed(`${nameOf(request)} returned something else than a list`);
      const elements: readonly unknown[] = page.value.body;
      for (const element of elements) {
        const value = request.schema.safeParse(element);
        if (!value.success)
          return failed(
            `${nameOf(request)} returned a list whose element ${values.length + 1} is not ${wanted(value.error)}`,
          );
        values.push(value.data);
      }
      const next = page.value.next;
      if (next === undefined) return read(values);
      if (next === null) return failed(`${nameOf(request)} names a next page without a cursor`);
      if (cursors.has(next))
        return failed(`${nameOf(request)} names the same next page twice, so the list has no end`);
      cursors.add(next);
      cursor = next;
    }
  }

  /** The bare response to a request. Throws a NoResponseError, or the ScannerError of a token that is refused. */
  async get(path: string, query: Readonly<Record<string, string>>): Promise<DirectoryResponse> {
    const url = this.#url(path, query);
    const { response, token } = await this.#send(url);
    // The directory may have revoked the token before it expired: retry once with a new one.
    if (response.status !== 401 || token === undefined || isFeatureMissing(response)) return response;
    this.#tokens.discard(token);
    return (await this.#send(url)).response;
  }

  /** Why nothing is asked for, where the access token is known to lack the scope; `undefined`: it may be asked. */
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
        return failed(`${name} was not sent, as a new access token was refused: ${error.message}`);
      throw error;
    }
    const body = responseProblem(response, { name, scope, whole: request.whole });
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
          // A challenge is a response like any other: its status decides.
          if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
          throw error;
        });
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
    return { response, token: used };
  }

  /** The vendor asks for the request ID and the retry count in repeated requests. */
  #headers({ retry, previous }: Attempt): Headers {
    const headers = new Headers({ accept: 'application/json' });
    const prefix = this.dialect.headerPrefix;
    const requestId = previous?.headers.get(`${prefix}-Request-Id`);
    if (retry > 0) headers.set(`${prefix}-Retry-Count`, String(retry));
    if (retry > 0 && requestId) headers.set(`${prefix}-Retry-For`, requestId);
    return headers;
  }
}
