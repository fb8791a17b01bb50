import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isAddressRange } from '../lib/client-address.ts';
import { OperatorError } from '../lib/errors.ts';
import {
  BLOB_STORE_SETTINGS,
  type BlobStoreSettings,
  blobStoreSettings,
  incompleteCredentials,
} from './blob-store-settings.ts';
import {
  CONNECTION_SETTINGS,
  type ConnectionLimits,
  connectionLimits,
  contradictingIdleLimits,
} from './connection-limits.ts';
import { parseConnectionString } from './connection-string.ts';
import { fileVariable, findUnknownSettings, readSecretFiles, SECRETS } from './environment.ts';
import {
  contradictingPageSizes,
  REQUEST_SETTINGS,
  type RequestLimits,
  requestLimits,
} from './request-limits.ts';
import {
  GARBAGE_COLLECTION_SETTINGS,
  type RetentionSettings,
  retentionSettings,
} from './retention-settings.ts';
import { flag, integer, oneOf, optionalInteger, setting, text, url } from './setting.ts';
import { TRACE_SETTINGS, tracesUrl } from './trace-settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  readonly host: string;
  readonly port: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** `undefined` to use the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined;
  readonly blobStore: BlobStoreSettings;
  readonly workers: number;
  /** Whether missing required attributes of OCSF cause warnings. */
  readonly checksConformance: boolean;
  /** How long the API accepts requests after SIGTERM, while its readiness check returns 503. */
  readonly drainSeconds: number;
  /** Base URL for links. `undefined` to use the address that the process listens on. */
  readonly publicUrl: string | undefined;
  /** Addresses and ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** How often the last use of each API key is stored. */
  readonly keyUseSeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Separate port for metrics and health checks. `undefined` to use the API port. */
  readonly operationsPort: number | undefined;
  /** URL of the trace collector (OTLP over HTTP). `undefined` to disable tracing. */
  readonly tracesUrl: string | undefined;
  readonly limits: Limits;
  readonly retention: RetentionSettings;
  /** Whether webhooks can be sent to addresses that are not public, and without TLS. */
  readonly webhooksAllowPrivateAddresses: boolean;
  /**
   * Whether a response that does not match the API description is replaced by an internal error. False in production,
   * where one unexpected value in the database must not make a whole list unavailable.
   */
  readonly validatesResponses: boolean;
}

/** All limits, as returned by `GET /api/v1/limits`. */
export interface Limits extends ConnectionLimits, RequestLimits {}

/** Invalid settings; the message lists all of them. */
export class ConfigError extends OperatorError {
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'ConfigError';
  }
}

const PORT_NUMBER = { min: 0, max: 65_535 };

/** The settings for locating the database. Every command reads them. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: setting<string | undefined>(
    {
      description: 'Connection string of a PostgreSQL 15 or newer server to use instead of the embedded one',
    },
    undefined,
    (text, reject) => {
      try {
        parseConnectionString(text);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        reject(error.message.replace(/^DATABASE_URL /, ''));
      }
      return text;
    },
  ),
  SLUICE_DATA_DIR: text('Directory for the embedded PostgreSQL and for uploads', './data'),
};

/** All settings by environment variable. */
export const SETTINGS = {
  HOST: text('Address to listen on', '127.0.0.1'),
  PORT: integer('Port of the API', { default: 8080, ...PORT_NUMBER }),
  ...DATABASE_SETTINGS,
  ...BLOB_STORE_SETTINGS,
  SLUICE_WORKERS: integer('Worker threads', {
    default: Math.max(1, availableParallelism() - 1),
    shownDefault: 'cores - 1, at least 1',
    min: 1,
    max: 256,
  }),
  SLUICE_OCSF_CONFORMANCE: oneOf(
    'Whether records without attributes that OCSF requires cause warnings: warn, off',
    ['warn', 'off'],
    'warn',
  ),
  SLUICE_DRAIN_SECONDS: integer('How long requests are accepted after SIGTERM, in seconds', {
    default: 0,
    min: 0,
    max: 3600,
  }),
  SLUICE_PUBLIC_URL: url('Base URL for links; if not set, the address that the process listens on', [
    'http:',
    'https:',
  ]),
  SLUICE_TRUSTED_PROXIES: setting<readonly string[]>(
    {
      description: 'Comma-separated addresses and ranges of proxies whose X-Forwarded-For is trusted',
    },
    [],
    (list, reject) => {
      const entries = list.split(',').map((entry) => entry.trim());
      const ranges = entries.filter((entry) => entry !== '');
      const invalid = ranges.filter((range) => !isAddressRange(range));
      if (invalid.length > 0)
        reject(`must be comma-separated addresses or ranges such as 10.0.0.0/8, not '${invalid.join(', ')}'`);
      return ranges;
    },
  ),
  SLUICE_KEY_USE_SECONDS: integer('How often the last use of each API key is stored, in seconds', {
    default: 60,
    min: 1,
    max: 3600,
  }),
  ...REQUEST_SETTINGS,
  ...CONNECTION_SETTINGS,
  ...GARBAGE_COLLECTION_SETTINGS,
  SLUICE_WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: flag(
    'If true, webhooks can be sent to private and local addresses, and to http URLs',
  ),
  LOG_LEVEL: oneOf(`Minimum log level: ${LOG_LEVELS.join(', ')}`, LOG_LEVELS, 'info'),
  SLUICE_OPERATIONS_PORT: optionalInteger('Separate port for metrics and health checks', PORT_NUMBER),
  ...TRACE_SETTINGS,
  NODE_ENV: text(
    'With test or development, a response that does not match the API description is replaced by an internal error',
    'production',
  ),
};

const SCHEMA = z.object(SETTINGS);

type Settings = z.output<typeof SCHEMA>;

/** The names of all settings, including the `_FILE` variables. */
export const SETTING_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(SETTINGS),
  ...SECRETS.map(fileVariable),
]);

/**
 * Reads the settings. Only the AWS and OpenTelemetry SDKs read other environment variables. Throws a ConfigError with
 * all invalid settings.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const files = readSecretFiles(environment);
  const fromFiles = new Set(files.values.keys());
  // Rules that involve several settings use the default in place of an invalid value, so that all errors are reported
  // at once.
  const schema = SCHEMA.superRefine(
    (settings, context) => {
      for (const message of findContradictions(settings, fromFiles))
        context.addIssue({ code: 'custom', message });
    },
    { when: () => true },
  );
  const result = schema.safeParse({ ...environment, ...Object.fromEntries(files.values) });
  const issues = result.error?.issues ?? [];
  const faults = issues.map(({ path: [name], message }) => {
    if (name === undefined) return message;
    return `${fromFiles.has(String(name)) ? `the content of ${String(name)}_FILE` : String(name)} ${message}`;
  });
  if (!result.success || files.faults.length > 0) throw new ConfigError([...files.faults, ...faults]);
  return toConfig(result.data, fromFiles);
}

/** Returns a warning for each `SLUICE_` variable that is not a setting and may be misspelled. */
export function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  return findUnknownSettings(environment, SETTING_NAMES);
}

function findContradictions(settings: Settings, fromFiles: ReadonlySet<string>): string[] {
  const faults = [
    ...contradictingIdleLimits(settings),
    ...contradictingPageSizes(settings),
    ...incompleteCredentials(settings, fromFiles),
  ];
  const { SLUICE_ORPHAN_GRACE_HOURS: graceHours, SLUICE_UPLOAD_MAX_HOURS: uploadHours } = settings;
  // In S3, a blob's age is measured from the start of its upload. Without a margin, a blob could be considered an
  // orphan as soon as its upload ends.
  if (graceHours < uploadHours + 1)
    faults.push(
      `SLUICE_ORPHAN_GRACE_HOURS must be at least one hour more than SLUICE_UPLOAD_MAX_HOURS (${uploadHours}), not '${graceHours}'`,
    );
  return faults;
}

function toConfig(settings: Settings, fromFiles: ReadonlySet<string>): Config {
  const dataDir = path.resolve(settings.SLUICE_DATA_DIR);
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir,
    databaseUrl: settings.DATABASE_URL,
    blobStore: blobStoreSettings(settings, path.join(dataDir, 'blobs'), fromFiles),
    workers: settings.SLUICE_WORKERS,
    checksConformance: settings.SLUICE_OCSF_CONFORMANCE === 'warn',
    drainSeconds: settings.SLUICE_DRAIN_SECONDS,
    publicUrl: settings.SLUICE_PUBLIC_URL?.href.replace(/\/+$/, ''),
    trustedProxies: settings.SLUICE_TRUSTED_PROXIES,
    keyUseSeconds: settings.SLUICE_KEY_USE_SECONDS,
    logLevel: settings.LOG_LEVEL,
    operationsPort: settings.SLUICE_OPERATIONS_PORT,
    tracesUrl: tracesUrl(settings),
    limits: { ...connectionLimits(settings), ...requestLimits(settings) },
    retention: retentionSettings(settings),
    webhooksAllowPrivateAddresses: settings.SLUICE_WEBHOOKS_ALLOW_PRIVATE_ADDRESSES,
    validatesResponses: ['test', 'development'].includes(settings.NODE_ENV),
  };
}
