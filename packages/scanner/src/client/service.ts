import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EnvHttpProxyAgent, Pool, request as sendRequest } from 'undici';
import { waitAfterAnswer, waitAfterFault } from '../http/retry-wait.ts';
import type { Answer } from './answer.ts';
import { serviceUrl } from './base-url.ts';
import { networkFault } from './network-fault.ts';
import { readProxies } from './proxies.ts';
import { PushError } from './push-error.ts';

const API_PREFIX = '/api/v1';
const MEDIA_TYPE = 'application/vnd.api+json';
const REPEATED = new Set([429, 502, 503, 504]);
const CONNECT_MS = 10_000;
/** A longer wait is not begun: who waits would think that the program hangs. */
const LONGEST_WAIT_MS = 120_000;
const MAX_ANSWER_BYTES = 8 * 2 ** 20;

export interface ServiceSettings {
  readonly baseUrl: URL;
  readonly apiKey: string;
  /** How long nothing may move on a connection, in seconds. */
  readonly timeoutSeconds: number;
  /** Repeats of one request after 429, 502, 503, 504 and broken connections; 0: none. */
  readonly maxRetries: number;
  readonly userAgent: string;
  /** Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are looked up. */
  readonly env: NodeJS.ProcessEnv;
  /** Called before a request is repeated. */
  readonly onRetry: (retry: Retry) => void;
}

export interface Retry {
  /** `POST /ingestions`. */
  readonly request: string;
  /** A clause: `the answer was 503`. */
  readonly reason: string;
  readonly waitSeconds: number;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each attempt. */
  readonly body?: () => AsyncIterable<Buffer>;
}

/** The service over HTTP: each request with the key, through the proxy of the environment, repeated where that helps. */
export class Service {
  readonly #settings: ServiceSettings;
  readonly #dispatcher: EnvHttpProxyAgent;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    const silenceMs = settings.timeoutSeconds * 1000;
    const silence = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    this.#dispatcher = new EnvHttpProxyAgent({
      ...readProxies(settings.env),
      // Proxies refuse to tunnel to ports that are not those of TLS; what is not encrypted needs no tunnel.
      proxyTunnel: false,
      // The connection to a proxy does not take the time-outs of the agent by itself.
      clientFactory: (origin, options) => new Pool(origin, { ...options, ...silence }),
      ...silence,
      connect: { timeout: Math.min(CONNECT_MS, silenceMs) },
    });
  }

  get baseUrl(): URL {
    return this.#settings.baseUrl;
  }

  /**
   * The final answer to a request, whatever its status; redirects are not followed, as the key must not be. Throws a
   * PushError where no whole answer came: `unreachable`, `untrusted_certificate`, `connection_lost`, `no_answer`.
   */
  async send(request: ServiceRequest): Promise<Answer> {
    const { maxRetries, onRetry } = this.#settings;
    for (let retry = 0; ; retry += 1) {
      const { answer, fault } = await this.#attempt(request);
      const mayRepeat = answer === undefined ? fault.mostRetries : REPEATED.has(answer.status) ? Infinity : 0;
      const wait =
        answer === undefined ? waitAfterFault(retry) : waitAfterAnswer(answer.status, answer.headers, retry);
      if (retry >= Math.min(maxRetries, mayRepeat) || wait > LONGEST_WAIT_MS) {
        if (answer !== undefined) return answer;
        throw fault.error;
      }
      onRetry({
        request: nameOf(request),
        reason: answer === undefined ? fault.error.message : `the answer was ${answer.status}`,
        waitSeconds: Math.ceil(wait / 100) / 10,
      });
      await sleep(Math.ceil(wait));
    }
  }

  /** Closes its connections; what runs is ended. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #attempt(request: ServiceRequest): Promise<Attempted> {
    const { baseUrl, apiKey, timeoutSeconds, userAgent } = this.#settings;
    try {
      const response = await sendRequest(serviceUrl(baseUrl, `${API_PREFIX}${request.path}`), {
        method: request.method,
        dispatcher: this.#dispatcher,
        // For requests that a proxy forwards, too: their connection does not have those of the agent.
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
      const answer = {
        status: response.statusCode,
        headers: headersOf(response.headers),
        text: await readText(response.body, nameOf(request)),
      };
      return { answer: answer.status < 300 ? answer : withoutKey(answer, apiKey) };
    } catch (error) {
      const fault = networkFault(error, baseUrl.origin, timeoutSeconds);
      if (fault === undefined) throw error;
      return { fault };
    }
  }
}

type Attempted =
  | { readonly answer: Answer; readonly fault?: never }
  | { readonly answer?: never; readonly fault: NonNullable<ReturnType<typeof networkFault>> };

/** `POST /api/v1/ingestions`, as a sentence calls it. */
export function nameOf({ method, path }: Pick<ServiceRequest, 'method' | 'path'>): string {
  return `${method} ${API_PREFIX}${path.replace(/\?.*/, '')}`;
}

async function readText(body: AsyncIterable<Buffer>, request: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES)
      throw new PushError(
        'not_understood',
        `${request} was answered with more than ${MAX_ANSWER_BYTES} bytes`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A refusal is printed, in places that many people read, and may repeat the key that it refuses. */
function withoutKey({ status, headers, text }: Answer, apiKey: string): Answer {
  const hidden = new Headers();
  for (const [name, value] of headers) hidden.append(name, value.replaceAll(apiKey, '***'));
  return { status, headers: hidden, text: text.replaceAll(apiKey, '***') };
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const all = new Headers();
  for (const [name, value = []] of Object.entries(headers))
    for (const one of [value].flat()) all.append(name, one);
  return all;
}
