import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request as sendRequest } from 'undici';
import { createProxyAgent, readProxy } from '../http/proxies.ts';
import { waitAfterNetworkError, waitAfterResponse } from '../http/retry-wait.ts';
import { serviceUrl } from './base-url.ts';
import { type NetworkFailure, networkFailure, PushError } from './push-error.ts';
import type { ServiceResponse } from './response.ts';

const API_PREFIX = '/api/v1';
/** Relative to `/api/v1`. */
export const INGESTIONS = '/ingestions';
export const MEDIA_TYPE = 'application/vnd.api+json';
/**
 * The maximum number of retries after each status. A 500 may be a transient error, and a retry is safe because the POST
 * has an idempotency key.
 */
const MAX_RETRIES_BY_STATUS: Readonly<Record<number, number>> = {
  429: Infinity,
  500: 1,
  502: Infinity,
  503: Infinity,
  504: Infinity,
};
const CONNECT_MS = 10_000;
const OPTIONAL_SECONDS = 10;
/** The client does not start longer waits, because the program would appear to hang. */
const MAX_RETRY_WAIT_MS = 120_000;
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;

export interface ServiceSettings {
  readonly baseUrl: URL;
  readonly apiKey: string;
  /** Idle timeout of connections in seconds. */
  readonly timeoutSeconds: number;
  /**
   * Maximum number of retries after a lost connection or a 429, 502, 503 or 504 response; 0: none. After a 500
   * response, a request is retried at most once.
   */
  readonly maxRetries: number;
  readonly userAgent: string;
  /** The environment from which `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are read. */
  readonly env: NodeJS.ProcessEnv;
  /** Called before each retry. */
  readonly onRetry: (retry: Retry) => void;
}

export interface Retry {
  /** The request, such as `POST /ingestions`. */
  readonly request: string;
  /** The reason as a clause, such as `the response was 503`. */
  readonly reason: string;
  readonly waitSeconds: number;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to `/api/v1`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each attempt. */
  readonly body?: () => AsyncIterable<Buffer>;
  /** Whether the request is optional. Optional requests are not retried and time out after at most 10 seconds. */
  readonly isOptional?: boolean;
}

type Attempted =
  | { readonly response: ServiceResponse; readonly failure?: never }
  | { readonly response?: never; readonly failure: NetworkFailure };

/** The HTTP connection to the service. Adds the key, uses the proxy from the environment, and retries requests. */
export class Service {
  readonly #settings: ServiceSettings;
  readonly #dispatcher: Dispatcher;
  readonly #proxy: URL | undefined;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    const idleTimeoutMs = settings.timeoutSeconds * 1000;
    const options = {
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
      connect: { timeout: Math.min(CONNECT_MS, idleTimeoutMs) },
    };
    this.#proxy = readProxy(
      settings.env,
      settings.baseUrl,
      (clause) => new PushError('invalid_proxy', clause),
    );
    this.#dispatcher =
      this.#proxy === undefined ? new Agent(options) : createProxyAgent(this.#proxy, options);
  }

  get baseUrl(): URL {
    return this.#settings.baseUrl;
  }

  /**
   * Returns the final response to a request, regardless of its status. Redirects are not followed, so that the key is
   * not sent elsewhere. If no complete response was received, throws a PushError with the code `unreachable`,
   * `untrusted_certificate`, `connection_lost` or `no_answer`.
   */
  async send(request: ServiceRequest): Promise<ServiceResponse> {
    const { onRetry } = this.#settings;
    const maxRetries = request.isOptional === true ? 0 : this.#settings.maxRetries;
    for (let retry = 0; ; retry += 1) {
      const { response, failure } = await this.#attempt(request);
      const allowedRetries =
        response === undefined ? failure.maxUsefulRetries : (MAX_RETRIES_BY_STATUS[response.status] ?? 0);
      const wait =
        response === undefined
          ? waitAfterNetworkError(retry)
          : waitAfterResponse(response.status, response.headers, retry);
      if (retry >= Math.min(maxRetries, allowedRetries) || wait > MAX_RETRY_WAIT_MS) {
        if (response !== undefined) return response;
        throw failure.error;
      }
      onRetry({
        request: nameOf(request),
        reason: response === undefined ? failure.error.message : `the response was ${response.status}`,
        waitSeconds: Math.ceil(wait / 100) / 10,
      });
      await sleep(Math.ceil(wait));
    }
  }

  /** Closes all connections and aborts requests in progress. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #attempt(request: ServiceRequest): Promise<Attempted> {
    const { baseUrl, apiKey, userAgent, timeoutSeconds: allowed } = this.#settings;
    const timeoutSeconds = request.isOptional === true ? Math.min(allowed, OPTIONAL_SECONDS) : allowed;
    try {
      const received = await sendRequest(serviceUrl(baseUrl, `${API_PREFIX}${request.path}`), {
        method: request.method,
        dispatcher: this.#dispatcher,
        // Required for requests through a proxy, because their connections do not use the agent's timeouts.
        headersTimeout: timeoutSeconds * 1000,
        bodyTimeout: timeoutSeconds * 1000,
        headers: {
          accept: MEDIA_TYPE,
          authorization: `Api-Key ${apiKey}`,
          'user-agent': userAgent,
          ...request.headers,
        },
        body: request.body === undefined ? null : Readable.from(request.body(), { objectMode: false }),
      });
      const response = {
        status: received.statusCode,
        headers: headersOf(received.headers),
        text: await readText(received.body, nameOf(request)),
      };
      return { response: response.status < 300 ? response : withoutKey(response, apiKey) };
    } catch (error) {
      const failure = networkFailure(error, {
        origin: baseUrl.origin,
        proxy: this.#proxy?.host,
        timeoutSeconds,
      });
      if (failure === undefined) throw error;
      return { failure };
    }
  }
}

/** Name of a request in messages, such as `POST /api/v1/ingestions`. */
export function nameOf({ method, path }: Pick<ServiceRequest, 'method' | 'path'>): string {
  return `${method} ${API_PREFIX}${path.replace(/\?.*/, '')}`;
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const all = new Headers();
  for (const [name, value = []] of Object.entries(headers))
    for (const one of [value].flat()) all.append(name, one);
  return all;
}

async function readText(body: AsyncIterable<Buffer>, request: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES)
      throw new PushError('not_understood', `${request} returned more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Removes the key from a response, because error responses are printed and can contain the rejected key. */
function withoutKey({ status, headers, text }: ServiceResponse, apiKey: string): ServiceResponse {
  const hidden = new Headers();
  for (const [name, value] of headers) hidden.append(name, value.replaceAll(apiKey, '***'));
  return { status, headers: hidden, text: text.replaceAll(apiKey, '***') };
}
