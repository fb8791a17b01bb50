import { decimal, integer, type SettingValues } from './setting.ts';

/** Limits of a process per client, address and connection; `GET /api/v1/limits` returns all of these limits. */
export interface ConnectionLimits {
  /** Per address; 0 means no limit. */
  readonly failedAuthenticationsPerMinute: number;
  /** Concurrent uploads. */
  readonly uploadsAtOnce: number;
  /** How long additional uploads wait in the queue. */
  readonly uploadQueueSeconds: number;
  /**
   * Minimum upload speed, averaged over `uploadPaceSeconds`. Excludes the time during which the server does not accept
   * data.
   */
  readonly uploadMinBytesPerSecond: number;
  readonly uploadPaceSeconds: number;
  readonly uploadMaxHours: number;
  /** Concurrent reads. */
  readonly readsAtOnce: number;
  /** Time limit for each database statement of a read. */
  readonly readSeconds: number;
  readonly headerSeconds: number;
  readonly documentSeconds: number;
  readonly idleSeconds: number;
  readonly keepAliveSeconds: number;
  readonly maxConnections: number;
}

/** Node.js timers are limited to 24 days, and a timeout of more than a day is useless. */
const DAY_SECONDS = 86_400;
const seconds = { min: 1, max: DAY_SECONDS };

export const CONNECTION_SETTINGS = {
  SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: integer(
    'Maximum rejected API keys per minute per address; 0 means no limit',
    {
      default: 300,
      min: 0,
    },
  ),
  SLUICE_UPLOADS_AT_ONCE: integer('Maximum concurrent uploads per process', {
    default: 16,
    min: 1,
    max: 10_000,
  }),
  SLUICE_UPLOAD_QUEUE_SECONDS: integer('How long additional uploads wait in the queue, in seconds', {
    default: 30,
    ...seconds,
  }),
  SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: integer(
    'Minimum upload speed in bytes per second; a slower upload fails with 408',
    {
      default: 1024,
      min: 0,
    },
  ),
  SLUICE_UPLOAD_PACE_SECONDS: integer('Period over which the upload speed is averaged, in seconds', {
    default: 60,
    ...seconds,
  }),
  // Blobs of unfinished uploads are garbage-collected after a day.
  SLUICE_UPLOAD_MAX_HOURS: decimal('Maximum duration of an upload, in hours', {
    default: 6,
    min: 0.0001,
    max: 20,
  }),
  SLUICE_READS_AT_ONCE: integer('Maximum concurrent reads per process', { default: 6, min: 1, max: 1000 }),
  // Shorter than the time limit of transactions (`db/transaction.ts`).
  SLUICE_READ_SECONDS: integer('Time limit for each database statement of a read, in seconds', {
    default: 20,
    min: 1,
    max: 50,
  }),
  SLUICE_HEADER_SECONDS: integer('Time limit for receiving the headers of a request, in seconds', {
    default: 20,
    ...seconds,
  }),
  SLUICE_DOCUMENT_SECONDS: integer(
    'Time limit for receiving the JSON:API document of a request, in seconds',
    {
      default: 30,
      ...seconds,
    },
  ),
  SLUICE_IDLE_SECONDS: integer('Time without traffic after which a connection is closed, in seconds', {
    default: 120,
    ...seconds,
  }),
  // Longer than the typical keep-alive timeout of load balancers (60 s). Otherwise, a load balancer could send a
  // request to a closing connection.
  SLUICE_KEEP_ALIVE_SECONDS: integer('How long a connection is kept open for its next request, in seconds', {
    default: 72,
    ...seconds,
  }),
  SLUICE_MAX_CONNECTIONS: integer('Maximum connections per process', {
    default: 4096,
    min: 1,
    max: 1_000_000,
  }),
};

type ConnectionSettings = SettingValues<typeof CONNECTION_SETTINGS>;

/** Converts the settings to limits. */
export function connectionLimits(settings: ConnectionSettings): ConnectionLimits {
  return {
    failedAuthenticationsPerMinute: settings.SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE,
    uploadsAtOnce: settings.SLUICE_UPLOADS_AT_ONCE,
    uploadQueueSeconds: settings.SLUICE_UPLOAD_QUEUE_SECONDS,
    uploadMinBytesPerSecond: settings.SLUICE_UPLOAD_MIN_BYTES_PER_SECOND,
    uploadPaceSeconds: settings.SLUICE_UPLOAD_PACE_SECONDS,
    uploadMaxHours: settings.SLUICE_UPLOAD_MAX_HOURS,
    readsAtOnce: settings.SLUICE_READS_AT_ONCE,
    readSeconds: settings.SLUICE_READ_SECONDS,
    headerSeconds: settings.SLUICE_HEADER_SECONDS,
    documentSeconds: settings.SLUICE_DOCUMENT_SECONDS,
    idleSeconds: settings.SLUICE_IDLE_SECONDS,
    keepAliveSeconds: settings.SLUICE_KEEP_ALIVE_SECONDS,
    maxConnections: settings.SLUICE_MAX_CONNECTIONS,
  };
}

/**
 * Returns error messages for contradictory idle limits. A connection has no traffic while the client or the service
 * waits. A shorter idle limit would close it before the response is sent.
 */
export function contradictingIdleLimits(settings: ConnectionSettings): string[] {
  const waits = [
    'SLUICE_UPLOAD_QUEUE_SECONDS',
    'SLUICE_UPLOAD_PACE_SECONDS',
    'SLUICE_DOCUMENT_SECONDS',
  ] as const;
  return waits
    .filter((name) => settings[name] >= settings.SLUICE_IDLE_SECONDS)
    .map(
      (name) =>
        `SLUICE_IDLE_SECONDS must be more than ${name} (${settings[name]}), not '${settings.SLUICE_IDLE_SECONDS}'`,
    );
}
