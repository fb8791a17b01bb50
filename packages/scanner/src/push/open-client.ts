import { isLoopback, readBaseUrl } from '../client/base-url.ts';
import {
  type ClientOptions,
  createIngestionClient,
  type IngestionClient,
  PushError,
} from '../client/index.ts';
import type { Log } from '../terminal/log.ts';
import { type Problem, problemOf } from './problem.ts';

/** The default address of a service that is started with `npm start`. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

/** A client, or the problem that prevented its creation. */
export type OpenedClient =
  | { readonly client: IngestionClient; readonly problem?: never }
  | { readonly client?: never; readonly problem: Problem };

export interface ClientContext {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly log: Log;
}

/** Creates a client from the environment. Nothing is sent yet. */
export function openClient(context: ClientContext): OpenedClient {
  try {
    return { client: createClient(context) };
  } catch (error) {
    return { problem: problemOf(error, context.log) };
  }
}

function createClient({ env, version, log }: ClientContext): IngestionClient {
  const settings = readPushSettings(env);
  const url = readBaseUrl(settings.baseUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    log.warn(`the connection to ${url.origin} is not encrypted, so the API key can be intercepted`);
  return createIngestionClient({
    ...settings,
    userAgent: `sluice-scanner/${version} node/${process.versions.node}`,
    onRetry: ({ request, reason, waitSeconds }) =>
      log.warn(`${request}: ${reason}; retrying in ${waitSeconds} s`),
  });
}

/**
 * Reads the settings of the service from the environment. Throws a PushError with the code `missing_api_key` or
 * `invalid_setting` whose message names the variable.
 */
function readPushSettings(env: NodeJS.ProcessEnv): ClientOptions {
  const apiKey = present(env.SCANNER_CLOUD_API_KEY);
  if (apiKey === undefined) throw new PushError('missing_api_key', 'SCANNER_CLOUD_API_KEY is not set');
  return {
    apiKey,
    baseUrl: present(env.SCANNER_CLOUD_API_BASE_URL) ?? DEFAULT_BASE_URL,
    timeoutSeconds: number(env, 'SCANNER_CLOUD_TIMEOUT_SECONDS', { min: 0.1, max: 86_400 }),
    maxRetries: number(env, 'SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS', { min: 0, max: 10, isInteger: true }),
    env,
  };
}

function number(
  env: NodeJS.ProcessEnv,
  name: string,
  {
    min,
    max,
    isInteger = false,
  }: { readonly min: number; readonly max: number; readonly isInteger?: boolean },
): number | undefined {
  const text = present(env[name]);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value >= min && value <= max && (!isInteger || Number.isInteger(value))) return value;
  const type = isInteger ? 'a whole number' : 'a number';
  throw new PushError('invalid_setting', `${name} must be ${type} from ${min} to ${max}, not '${text}'`);
}

function present(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}
