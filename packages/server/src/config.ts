import { availableParallelism } from 'node:os';
import path from 'node:path';
import {
  BlobStoreSettingError,
  type BlobStoreSettings,
  readBlobStoreUrl,
} from './blob-store/blob-store-settings.ts';
import { type ConnectionLimits, contradictions, readConnectionLimits } from './connection-limits.ts';
import { parseConnectionString } from './db/connection-string.ts';
import type { HousekeepingSettings } from './housekeeping/settings.ts';
import { OperatorError } from './operator-error.ts';
import { isAddressRange } from './plugins/client-address.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** A hundred years: as good as for ever, and still a time that every clock can tell. */
const MAX_KEPT_HOURS = 100 * 365 * 24;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** `undefined`: the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined;
  readonly blobStore: BlobStoreSettings;
  readonly workers: number;
  /** Used in links; `undefined`: the address listened on. */
  readonly publicUrl: string | undefined;
  /** Addresses and ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** How often the last use of keys is written down. */
  readonly keyUseSeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Where metrics and health are served by themselves; `undefined`: on the port of the API. */
  readonly operationsPort: number | undefined;
  /** Where traces are sent (OTLP over HTTP); `undefined`: nothing is traced. */
  readonly tracesUrl: string | undefined;
  readonly limits: Limits;
  readonly housekeeping: HousekeepingSettings;
}

/** Every limit in force; `GET /api/v1/limits` states them. 0 requests or uploads per minute: no limit. */
export interface Limits extends ConnectionLimits {
  readonly uploadMaxBytes: number;
  readonly inflatedMaxBytes: number;
  readonly recordMaxBytes: number;
  readonly recordMaxDepth: number;
  readonly recordMaxKeys: number;
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  readonly errorsKeptPerJob: number;
  readonly requestsPerMinute: number;
  readonly uploadsPerMinute: number;
}

/** Settings that cannot be read; the message names every one of them. */
export class ConfigError extends OperatorError {
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the settings; the only reader of the environment but for the SDKs of AWS and OpenTelemetry, which read what is
 * theirs. Throws a ConfigError with all faults at once.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const text = (name: string) => {
    const value = environment[name]?.trim();
    return value === '' ? undefined : value;
  };
  const integer = (name: string, fallback: number, min: number, max = Number.MAX_SAFE_INTEGER) => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    faults.push(
      `${name} must be a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}, not '${value}'`,
    );
    return fallback;
  };
  const decimal = (name: string, fallback: number, min: number, max = Number.MAX_SAFE_INTEGER) => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    faults.push(`${name} must be a number from ${min} to ${max}, not '${value}'`);
    return fallback;
  };
  const addresses = (name: string) => {
    const ranges = (text(name) ?? '').split(',').map((range) => range.trim());
    const given = ranges.filter((range) => range !== '');
    const wrong = given.filter((range) => !isAddressRange(range));
    if (wrong.length > 0)
      faults.push(
        `${name} must be addresses or ranges like 10.0.0.0/8 with commas between them, not '${wrong.join(', ')}'`,
      );
    return given;
  };
  const url = (name: string, protocols: readonly string[]) => {
    const value = text(name);
    if (value === undefined) return undefined;
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed !== undefined && protocols.includes(parsed.protocol)) return parsed;
    // The value is not shown: it may hold a password.
    faults.push(
      `${name} must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return undefined;
  };
  const databaseUrl = () => {
    const value = text('DATABASE_URL');
    if (value === undefined) return undefined;
    try {
      parseConnectionString(value);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      faults.push(error.message);
    }
    return value;
  };
  const blobStore = (fallback: BlobStoreSettings): BlobStoreSettings => {
    const value = url('SLUICE_BLOB_STORE', ['file:', 's3:']);
    // As the AWS SDK reads them, the one of the service first.
    const endpoint =
      url('AWS_ENDPOINT_URL_S3', ['http:', 'https:']) ?? url('AWS_ENDPOINT_URL', ['http:', 'https:']);
    if (value === undefined) return fallback;
    try {
      return readBlobStoreUrl(value, endpoint?.href);
    } catch (error) {
      if (!(error instanceof BlobStoreSettingError)) throw error;
      faults.push(`SLUICE_BLOB_STORE ${error.message}`);
      return fallback;
    }
  };

  // As the OpenTelemetry SDK reads them (OTLP exporter specification): the one of the signal as it is, or below the base.
  const tracesUrl = () => {
    const own = url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:'])?.href;
    const base = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])?.href;
    if (text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
    return own ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
  };

  const dataDir = path.resolve(text('SLUICE_DATA_DIR') ?? 'data');
  const logLevel = LOG_LEVELS.find((level) => level === (text('LOG_LEVEL') ?? 'info').toLowerCase());
  if (logLevel === undefined)
    faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not '${text('LOG_LEVEL')}'`);
  const maxPageSize = integer('SLUICE_MAX_PAGE_SIZE', 1000, 1, 100_000);
  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 8080, 0, 65_535),
    dataDir,
    databaseUrl: databaseUrl(),
    blobStore: blobStore({ type: 'file', folder: path.join(dataDir, 'blobs') }),
    workers: integer('SLUICE_WORKERS', Math.max(1, availableParallelism() - 1), 1, 256),
    publicUrl: url('SLUICE_PUBLIC_URL', ['http:', 'https:'])?.href.replace(/\/+$/, ''),
    trustedProxies: addresses('SLUICE_TRUSTED_PROXIES'),
    keyUseSeconds: integer('SLUICE_KEY_USE_SECONDS', 60, 1, 3600),
    logLevel: logLevel ?? 'info',
    operationsPort:
      text('SLUICE_OPERATIONS_PORT') === undefined
        ? undefined
        : integer('SLUICE_OPERATIONS_PORT', 0, 0, 65_535),
    tracesUrl: tracesUrl(),
    limits: {
      ...readConnectionLimits(integer, decimal),
      uploadMaxBytes: integer('SLUICE_UPLOAD_MAX_BYTES', GIB, 1),
      inflatedMaxBytes: integer('SLUICE_INFLATED_MAX_BYTES', 5 * GIB, 1),
      recordMaxBytes: integer('SLUICE_RECORD_MAX_BYTES', 4 * MIB, 1, 64 * MIB),
      recordMaxDepth: integer('SLUICE_RECORD_MAX_DEPTH', 100, 1, 1000),
      recordMaxKeys: integer('SLUICE_RECORD_MAX_KEYS', 50_000, 1),
      defaultPageSize: integer('SLUICE_DEFAULT_PAGE_SIZE', Math.min(10, maxPageSize), 1, maxPageSize),
      maxPageSize,
      errorsKeptPerJob: integer('SLUICE_ERRORS_KEPT_PER_JOB', 10_000, 0),
      requestsPerMinute: integer('SLUICE_REQUESTS_PER_MINUTE', 600, 0),
      uploadsPerMinute: integer('SLUICE_UPLOADS_PER_MINUTE', 60, 0),
    },
    housekeeping: {
      intervalMinutes: integer('SLUICE_GC_INTERVAL_MINUTES', 60, 0, 10_080),
      orphanGraceHours: integer('SLUICE_ORPHAN_GRACE_HOURS', 24, 1, MAX_KEPT_HOURS),
      fileRetentionDays: integer('SLUICE_FRAME_RETENTION_DAYS', 30, 1, MAX_KEPT_HOURS / 24),
      jobRetentionDays: integer('SLUICE_JOB_RETENTION_DAYS', 365, 1, MAX_KEPT_HOURS / 24),
      idempotencyKeyHours: integer('SLUICE_IDEMPOTENCY_KEY_HOURS', 48, 24, MAX_KEPT_HOURS),
    },
  };
  // S3 dates a blob by the begin of its upload: one that has just ended must never be taken for an orphan.
  const { orphanGraceHours } = config.housekeeping;
  if (orphanGraceHours < config.limits.uploadMaxHours + 1)
    faults.push(
      `SLUICE_ORPHAN_GRACE_HOURS must be at least an hour more than SLUICE_UPLOAD_MAX_HOURS (${config.limits.uploadMaxHours}), not '${orphanGraceHours}'`,
    );
  faults.push(...contradictions(config.limits));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
