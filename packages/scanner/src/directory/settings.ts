import { readProxy } from '../http/proxies.ts';
import { ScannerError } from '../lib/errors.ts';
import { type Dialect, SCOPE_RESOURCES, scopeName } from './dialect.ts';
import { textForDialect } from './dialect-names.ts';
import { present, readDirectoryEnvironment } from './environment.ts';
import { type OrgAddress, readOrgAddress } from './org-address.ts';
import { readPrivateKey, type SigningKey } from './private-key.ts';

const DEFAULT_REQUESTS_PER_SECOND = 4;
const DEFAULT_MAX_RETRIES = 5;
/** Allows for five waits of about one minute, the length of a rate limit window. */
const DEFAULT_TIMEOUT_SECONDS = 300;

/** The settings for reading one organization. */
export interface DirectorySettings extends OrgAddress {
  readonly dialect: Dialect;
  readonly clientId: string;
  readonly key: SigningKey;
  /** The scopes to request. */
  readonly scopes: readonly string[];
  /** The proxy for all requests; `undefined` to connect directly. */
  readonly proxy: URL | undefined;
  /** Maximum request rate, including token requests and retries; 0: no limit. */
  readonly requestsPerSecond: number;
  /** Maximum number of retries per request after network errors and 429, 503 and 504 responses; 0: none. */
  readonly maxRetries: number;
  /** Timeout of a request, including its retries; 0: no limit. */
  readonly timeoutSeconds: number;
}

/**
 * Settings from the command line, which override the environment. There is no flag for the key, because command lines
 * are visible to other users.
 */
export interface SettingsFlags {
  readonly orgDomain?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly requestsPerSecond?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/**
 * Reads and validates all settings of a directory scan. Throws a ScannerError that reports all missing settings
 * together.
 */
export async function readDirectorySettings({
  env,
  flags,
  dialect,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly flags: SettingsFlags;
  readonly dialect: Dialect;
}): Promise<DirectorySettings> {
  const flagDomain = present(flags.orgDomain);
  const variables = readDirectoryEnvironment(env);
  const domain = flagDomain ?? variables.orgDomain;
  // A domain on the command line overrides an address in the environment.
  const url = flagDomain === undefined ? variables.orgUrl : undefined;
  const clientId = present(flags.clientId) ?? variables.clientId;
  const { privateKey, privateKeyFile } = variables;

  const missing: string[] = [];
  if (domain === undefined && url === undefined)
    missing.push('DIRECTORY_ORG_DOMAIN (or --directory-org-domain, or DIRECTORY_ORG_URL)');
  if (clientId === undefined) missing.push('DIRECTORY_CLIENT_ID (or --directory-client-id)');
  if (privateKey === undefined && privateKeyFile === undefined)
    missing.push('DIRECTORY_PRIVATE_KEY (or DIRECTORY_PRIVATE_KEY_FILE)');
  if (clientId === undefined || missing.length > 0)
    throw new ScannerError(
      'missing_settings',
      textForDialect(dialect, `Set ${missing.join(', ')} to scan a directory.`),
    );

  const address = readOrgAddress({ domain, url, dialect });
  return {
    dialect,
    ...address,
    proxy: readDirectoryProxy(env, address),
    clientId,
    key: await readPrivateKey({ text: privateKey, file: privateKeyFile }),
    scopes: readScopes(flags.scopes, variables.scopes, dialect),
    requestsPerSecond: atLeastZero(
      'requests per second',
      flags.requestsPerSecond,
      DEFAULT_REQUESTS_PER_SECOND,
    ),
    maxRetries: wholeNumber('maximum retries', flags.maxRetries, DEFAULT_MAX_RETRIES),
    timeoutSeconds: atLeastZero('timeout in seconds', flags.timeoutSeconds, DEFAULT_TIMEOUT_SECONDS),
  };
}

/** Plain HTTP is only used for an emulator on this machine, which a proxy cannot reach. */
function readDirectoryProxy(env: NodeJS.ProcessEnv, { origin }: OrgAddress): URL | undefined {
  if (origin.startsWith('http:')) return undefined;
  return readProxy(
    env,
    new URL(origin),
    (clause) => new ScannerError('invalid_proxy', `${clause}.`, { exitCode: 2 }),
  );
}

function readScopes(
  flag: readonly string[] | undefined,
  variable: string | undefined,
  dialect: Dialect,
): readonly string[] {
  const named = [flag?.join(' '), variable]
    .map((text) => (text ?? '').split(/[\s,]+/).filter((scope) => scope !== ''))
    .find((scopes) => scopes.length > 0);
  if (named === undefined) return SCOPE_RESOURCES.map((resource) => scopeName(dialect, resource));
  const writing = named.find((scope) => !scope.toLowerCase().endsWith('.read'));
  if (writing === undefined) return [...new Set(named)];
  throw new ScannerError(
    'invalid_setting',
    `The scope '${writing}' is not read-only: request only scopes that end in .read, such as ${scopeName(dialect, 'policies')}.`,
    { exitCode: 2 },
  );
}

function atLeastZero(subject: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (Number.isFinite(value) && value >= 0) return value;
  throw new ScannerError('invalid_setting', `The ${subject} must be a number of at least 0, not ${value}.`, {
    exitCode: 2,
  });
}

function wholeNumber(subject: string, value: number | undefined, fallback: number): number {
  const number = atLeastZero(subject, value, fallback);
  if (Number.isInteger(number)) return number;
  throw new ScannerError('invalid_setting', `The ${subject} must be a whole number, not ${number}.`, {
    exitCode: 2,
  });
}
