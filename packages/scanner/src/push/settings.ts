import { type ClientOptions, PushError } from '../client/index.ts';

/** Where `npm start` serves. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

/**
 * What the environment says of the service to push to. Throws a PushError that names the variable: `missing_api_key`,
 * `invalid_setting`.
 */
export function readPushSettings(env: NodeJS.ProcessEnv): ClientOptions {
  const apiKey = present(env.SCANNER_CLOUD_API_KEY);
  if (apiKey === undefined) throw new PushError('missing_api_key', 'SCANNER_CLOUD_API_KEY is not set');
  return {
    apiKey,
    baseUrl: present(env.SCANNER_CLOUD_API_BASE_URL) ?? DEFAULT_BASE_URL,
    timeoutSeconds: number(env, 'SCANNER_CLOUD_TIMEOUT_SECONDS', { least: 0.1, most: 86_400 }),
    maxRetries: number(env, 'SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS', { least: 0, most: 10, whole: true }),
    env,
  };
}

function number(
  env: NodeJS.ProcessEnv,
  name: string,
  { least, most, whole = false }: { readonly least: number; readonly most: number; readonly whole?: boolean },
): number | undefined {
  const text = present(env[name]);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  throw new PushError('invalid_setting', `${name} must be ${kind} from ${least} to ${most}, not '${text}'`);
}

function present(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}
