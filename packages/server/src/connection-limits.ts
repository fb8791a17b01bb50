import { decimal, integer, type SettingValues } from './settings/setting.ts';

/** Limits per client, address and connection of a process; `GET /api/v1/limits` returns all of them. */
export interface ConnectionLimits {
  /** Per address; 0: no limit. */
  readonly failedAuthenticationsPerMinute: number;
  /** Concurrent uploads, and how long further ones wait in the queue. */
  readonly uploadsAtOnce: number;
  readonly uploadQueueSeconds: number;
  /** Average over `uploadPaceSeconds` of waiting for the client. */
  readonly uploadMinBytesPerSecond: number;
  readonly uploadPaceSeconds: number;
  readonly uploadMaxHours: number;
  /** Concurrent reads, and the time limit of a statement of a read. */
  readonly readsAtOnce: number;
  readonly readSeconds: number;
  readonly headerSeconds: number;
  readonly documentSeconds: number;
  readonly idleSeconds: number;
  readonly keepAliveSeconds: number;
  readonly maxConnections: number;
}

/** Node's timers are limited to 24 days; a timeout of more than a day is useless anyway. */
const DAY_SECONDS = 86_400;
const seconds = { min: 1, max: DAY_SECONDS };

export const CONNECTION_SETTINGS = {
  SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: integer(
    'Rejected API keys per address and minute before a 429; 0: no limit',
    {
      default: 300,
      min: 0,
    },
  ),
  SLUICE_UPLOADS_AT_ONCE: integer('Concurrent uploads per process', { default: 16, min: 1, max: 10_000 }),
  SLUICE_UPLOAD_QUEUE_SECONDS: integer('Seconds that further uploads wait in the queue', {
    default: 30,
    ...seconds,
  }),
  SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: integer('Minimum speed of an upload; a slower one gets a 408', {
    default: 1024,
    min: 0,
  }),
  SLUICE_UPLOAD_PACE_SECONDS: integer('Seconds over which the speed of an upload is averaged', {
    default: 60,
    ...seconds,
  }),
  // Blobs of uploads that never ended are garbage after a day.
  SLUICE_UPLOAD_MAX_HOURS: decimal('Maximum hours of an upload', { default: 6, min: 0.0001, max: 20 }),
  SLUICE_READS_AT_ONCE: integer('Concurrent reads per process', { default: 6, min: 1, max: 1000 }),
  // Below the time after which a transaction is given up (`db/transaction.ts`).
  SLUICE_READ_SECONDS: integer('Maximum seconds of a statement of a read', { default: 20, min: 1, max: 50 }),
  SLUICE_HEADER_SECONDS: integer('Maximum seconds to receive the headers of a request', {
    default: 20,
    ...seconds,
  }),
  SLUICE_DOCUMENT_SECONDS: integer('Maximum seconds to receive the JSON:API document of a request', {
    default: 30,
    ...seconds,
  }),
  SLUICE_IDLE_SECONDS: integer('Seconds without traffic after which a connection is closed', {
    default: 120,
    ...seconds,
  }),
  // Longer than load balancers keep connections (60 s); otherwise they would send requests to closing connections.
  SLUICE_KEEP_ALIVE_SECONDS: integer('Seconds that a connection is kept open for its next request', {
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
 * Error messages for limits that contradict each other. While a client waits, or is waited for, its connection has no
 * traffic, so a shorter idle limit would close it before the response at the end of the wait.
 */
export function contradictions(settings: ConnectionSettings): string[] {
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
