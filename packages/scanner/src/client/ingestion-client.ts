import { setTimeout as sleep } from 'node:timers/promises';
import { readBaseUrl, serviceUrl } from './base-url.ts';
import { type DryRunReport, readDryRun } from './dry-run.ts';
import { type Limits, readLimits } from './limits.ts';
import { listNewlyFailed, type NewlyFailedFinding, type NewlyFailedOptions } from './newly-failed.ts';
import { PushError } from './push-error.ts';
import {
  errorsDocument,
  hasEnded,
  type Ingestion,
  type IngestionError,
  type IngestionWarning,
  ingestionDocument,
  readResponse,
  warningsDocument,
} from './response.ts';
import { sendFile, type Upload, type UploadOptions } from './send-file.ts';
import { type RetryOptions, sendRetry } from './send-retry.ts';
import { INGESTIONS, nameOf, type Retry, Service, type ServiceRequest } from './service.ts';
import { readUploadFile } from './upload-file.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;
const DEFAULT_MAX_RETRIES = 4;
/** Small files are processed within milliseconds, so the first poll is early. `Retry-After` controls later polls. */
const FIRST_POLL_MS = 200;
const MAX_POLL_MS = 5_000;
/** Upper limit for `Retry-After`, so that the client does not detect the end of a job much too late. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface ClientOptions {
  readonly apiKey: string;
  /** For example `https://sluice.example`. The scheme is optional; trailing slashes and `/api/v1` are ignored. */
  readonly baseUrl: string;
  /** Idle timeout of connections in seconds; default 60. */
  readonly timeoutSeconds?: number | undefined;
  /**
   * Maximum number of retries after a lost connection or a 429, 502, 503 or 504 response; default 4. After a 500
   * response, a request is retried at most once.
   */
  readonly maxRetries?: number | undefined;
  readonly userAgent?: string | undefined;
  /** The environment from which `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are read; default `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Called before each retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface WaitOptions {
  /** No limit if 0 or `undefined`. */
  readonly timeoutSeconds?: number | undefined;
  readonly onProgress?: ((ingestion: Ingestion) => void) | undefined;
}

export interface IngestionErrors {
  /** The first errors of the job. */
  readonly errors: readonly IngestionError[];
  /** The exact number of errors by code. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface IngestionWarnings {
  /** The first warnings of the job. */
  readonly warnings: readonly IngestionWarning[];
  /** The exact number of warnings by code. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * A client that pushes files of findings to the service. Every method throws a PushError with a stable `code` and a
 * readable message.
 */
export interface IngestionClient {
  /** The base URL of the service. */
  readonly baseUrl: string;
  /**
   * Streams a file to the service, compressed if the service supports it. Resolves when the service has stored the
   * upload.
   */
  readonly upload: (path: string, options?: UploadOptions) => Promise<Upload>;
  /**
   * Ingests the stored file of an ended job again, as a new job with these defaults. Resolves when the service has stored
   * the new job.
   */
  readonly retry: (id: string, options?: RetryOptions) => Promise<Upload>;
  readonly status: (id: string) => Promise<Ingestion>;
  /**
   * Resolves with the completed or failed job. On a timeout, throws a PushError with the code `wait_timeout`; the job
   * continues on the server.
   */
  readonly wait: (id: string, options?: WaitOptions) => Promise<Ingestion>;
  /** The first `limit` errors of a finished job. */
  readonly errors: (id: string, options?: { readonly limit?: number }) => Promise<IngestionErrors>;
  /** The first `limit` warnings of a finished job, only those with the code `code` if it is set. */
  readonly warnings: (
    id: string,
    options?: { readonly code?: string; readonly limit?: number },
  ) => Promise<IngestionWarnings>;
  /** What the upload of a finished dry run (`dryRun` of `upload`) would do. */
  readonly dryRun: (id: string) => Promise<DryRunReport>;
  /**
   * The worst findings that a finished job made fail (`findings.newlyFailed`) and that still fail. Throws a PushError with
   * the code `permission_denied` if the key does not have the permission `read_findings`.
   */
  readonly newlyFailed: (id: string, options?: NewlyFailedOptions) => Promise<readonly NewlyFailedFinding[]>;
  /** Closes all connections. */
  readonly close: () => Promise<void>;
}

/**
 * Creates a client for a service. Throws a PushError with the code `missing_api_key`, `invalid_api_key`,
 * `invalid_base_url` or `invalid_proxy`.
 */
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
    retry: (id, options = {}) => sendRetry(service, id, options),
    status: async (id) => (await job(id)).ingestion,
    wait: async (id, { timeoutSeconds = 0, onProgress = () => undefined } = {}) => {
      const deadline = timeoutSeconds === 0 ? Infinity : performance.now() + timeoutSeconds * 1000;
      let retryAfterMs = 0;
      for (let backoff = FIRST_POLL_MS; ; backoff = Math.min(MAX_POLL_MS, backoff * 1.5)) {
        const left = deadline - performance.now();
        if (left <= 0) throw waitTimeout(id, timeoutSeconds);
        await sleep(Math.min(left, Math.max(backoff, retryAfterMs)));
        const { ingestion, retryAfter } = await job(id);
        onProgress(ingestion);
        if (hasEnded(ingestion)) return ingestion;
        retryAfterMs = Math.min(MAX_RETRY_AFTER_MS, retryAfter * 1000);
      }
    },
    errors: async (id, { limit = 10 } = {}) => {
      const path = `${INGESTIONS}/${encodeURIComponent(id)}/errors?page%5Bsize%5D=${limit}`;
      const request: ServiceRequest = { method: 'GET', path };
      const response = await service.send(request);
      const { data, meta } = readResponse(response, { request: nameOf(request), schema: errorsDocument });
      return { errors: data, counts: meta.counts };
    },
    warnings: async (id, { code, limit = 10 } = {}) => {
      const query = new URLSearchParams({
        'page[size]': String(limit),
        ...(code !== undefined && { 'filter[code]': code }),
      });
      const path = `${INGESTIONS}/${encodeURIComponent(id)}/warnings?${query}`;
      const request: ServiceRequest = { method: 'GET', path };
      const response = await service.send(request);
      const { data, meta } = readResponse(response, { request: nameOf(request), schema: warningsDocument });
      return { warnings: data, counts: meta.counts };
    },
    dryRun: (id) => readDryRun(service, id),
    newlyFailed: (id, options = {}) => listNewlyFailed(service, id, options),
    close: () => service.close(),
  };
}

function waitTimeout(id: string, seconds: number): PushError {
  return new PushError(
    'wait_timeout',
    `job ${id} did not finish within ${seconds} s; it continues on the server`,
  );
}

/** Accepts valid header values (RFC 9110, section 5.5) without spaces. */
function readApiKey(text: string): string {
  const key = text.trim();
  if (key === '') throw new PushError('missing_api_key', 'the API key is empty');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new PushError(
    'invalid_api_key',
    'the API key contains spaces or other invalid characters; copy it again',
  );
}
