import { setTimeout as sleep } from 'node:timers/promises';
import { readBaseUrl, serviceUrl } from './base-url.ts';
import { errorsDocument, type Ingestion, type IngestionError, ingestionDocument } from './documents.ts';
import { type Limits, readLimits } from './limits.ts';
import { PushError } from './push-error.ts';
import { readResponse } from './response.ts';
import { INGESTIONS, sendFile, type Upload, type UploadOptions } from './send-file.ts';
import { nameOf, type Retry, Service, type ServiceRequest } from './service.ts';
import { readUploadFile } from './upload-file.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;
const DEFAULT_MAX_RETRIES = 4;
/** Small files are done within milliseconds; the first look comes soon and the next ones when the service says. */
const FIRST_POLL_MS = 200;
const MAX_POLL_MS = 5_000;
/** Whatever the service says: who waits would see an end of the job too late. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface ClientOptions {
  readonly apiKey: string;
  /** Such as `https://sluice.example`; scheme, slashes at the end and `/api/v1` are forgiven. */
  readonly baseUrl: string;
  /** How long nothing may move on a connection, in seconds; default 60. */
  readonly timeoutSeconds?: number | undefined;
  /** Repeats of one request after 429, 502, 503, 504 and broken connections, and once after 500; default 4. */
  readonly maxRetries?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are looked up; default the process's environment. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Called before a request is repeated. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface WaitOptions {
  /** 0 or nothing: without limit. */
  readonly timeoutSeconds?: number | undefined;
  readonly onProgress?: ((ingestion: Ingestion) => void) | undefined;
}

export interface IngestionErrors {
  /** The first ones. */
  readonly errors: readonly IngestionError[];
  /** How many there are of each code, exactly. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * What a program needs to push files of findings. Every method throws a PushError whose `code` tells what went wrong and
 * whose message is a clause for people.
 */
export interface IngestionClient {
  /** The address that the service is reached at. */
  readonly baseUrl: string;
  /** Sends a file, streamed and compressed where the service takes that; resolves when the service has it safely. */
  readonly upload: (path: string, options?: UploadOptions) => Promise<Upload>;
  readonly status: (id: string) => Promise<Ingestion>;
  /** Resolves with the job when it has ended, well or not. Throws `wait_timeout`; the job goes on without us. */
  readonly wait: (id: string, options?: WaitOptions) => Promise<Ingestion>;
  /** What was wrong with an ended job's records; `limit` at most. */
  readonly errors: (id: string, options?: { readonly limit?: number }) => Promise<IngestionErrors>;
  /** Closes its connections. */
  readonly close: () => Promise<void>;
}

/** A client of one service. Throws a PushError: `missing_api_key`, `invalid_api_key`, `invalid_base_url`, `invalid_proxy`. */
export function createIngestionClient(options: ClientOptions): IngestionClient {
  const service = new Service({
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    timeoutSeconds: options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
    userAgent: options.userAgent ?? 'sluice-client',
    env: options.env ?? process.env,
    onRetry: options.onRetry ?? (() => undefined),
  });
  let limits: Limits | undefined;
  const job = async (id: string) => {
    const request: ServiceRequest = { method: 'GET', path: `${INGESTIONS}/${encodeURIComponent(id)}` };
    const response = await service.send(request);
    const { data } = readResponse(response, { request: nameOf(request), schema: ingestionDocument });
    return { ingestion: data, retryAfter: Number(response.headers.get('retry-after') ?? 0) || 0 };
  };
  return {
    baseUrl: serviceUrl(service.baseUrl, ''),
    upload: async (path, upload = {}) => {
      const file = await readUploadFile(path, upload.name);
      limits ??= await readLimits(service);
      return await sendFile(service, file, limits, upload);
    },
    status: async (id) => (await job(id)).ingestion,
    wait: async (id, { timeoutSeconds = 0, onProgress = () => undefined } = {}) => {
      const deadline = timeoutSeconds === 0 ? Infinity : performance.now() + timeoutSeconds * 1000;
      let told = 0;
      for (let backoff = FIRST_POLL_MS; ; backoff = Math.min(MAX_POLL_MS, backoff * 1.5)) {
        const left = deadline - performance.now();
        if (left <= 0) throw waitTimeout(id, timeoutSeconds);
        await sleep(Math.min(left, Math.max(backoff, told)));
        const { ingestion, retryAfter } = await job(id);
        onProgress(ingestion);
        if (ingestion.status === 'completed' || ingestion.status === 'failed') return ingestion;
        told = Math.min(MAX_RETRY_AFTER_MS, retryAfter * 1000);
      }
    },
    errors: async (id, { limit = 10 } = {}) => {
      const path = `${INGESTIONS}/${encodeURIComponent(id)}/errors?page%5Bsize%5D=${limit}`;
      const request: ServiceRequest = { method: 'GET', path };
      const response = await service.send(request);
      const { data, meta } = readResponse(response, { request: nameOf(request), schema: errorsDocument });
      return { errors: data, counts: meta.counts };
    },
    close: () => service.close(),
  };
}

function waitTimeout(id: string, seconds: number): PushError {
  return new PushError('wait_timeout', `job ${id} had not ended after ${seconds} s; it goes on without us`);
}

/** What a header can hold (RFC 9110, section 5.5), without blanks. */
function readApiKey(text: string): string {
  const key = text.trim();
  if (key === '') throw new PushError('missing_api_key', 'there is no API key');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new PushError(
    'invalid_api_key',
    'the API key holds blanks or other characters that no key has; copy it again',
  );
}
