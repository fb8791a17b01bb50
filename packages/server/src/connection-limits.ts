import { decimal, integer, type SettingValues } from './settings/setting.ts';

/** What one client, one address or one connection may take of a process; `GET /api/v1/limits` states it all. */
export interface ConnectionLimits {
  /** Per address; 0: no limit. */
  readonly failedAuthenticationsPerMinute: number;
  /** Uploads that are read at the same time, and how long others wait for their turn. */
  readonly uploadsAtOnce: number;
  readonly uploadQueueSeconds: number;
  /** On average over so many seconds of waiting for the client. */
  readonly uploadMinBytesPerSecond: number;
  readonly uploadPaceSeconds: number;
  readonly uploadMaxHours: number;
  /** Reads that are at work at the same time, and how long a statement of one may take. */
  readonly readsAtOnce: number;
  readonly readSeconds: number;
  readonly headerSeconds: number;
  readonly documentSeconds: number;
  readonly idleSeconds: number;
  readonly keepAliveSeconds: number;
  readonly maxConnections: number;
}

/** Node's timers take 24 days; more than a day is no time-out. */
const DAY_SECONDS = 86_400;
const seconds = { min: 1, max: DAY_SECONDS };

export const CONNECTION_SETTINGS = {
  SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: integer('Rejected keys per address before a 429; 0: no limit', {
    default: 300,
    min: 0,
  }),
  SLUICE_UPLOADS_AT_ONCE: integer('Concurrent uploads per process', { default: 16, min: 1, max: 10_000 }),
  SLUICE_UPLOAD_QUEUE_SECONDS: integer('How long further uploads wait in the queue', {
    default: 30,
    ...seconds,
  }),
  SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: integer('Minimum speed of an upload, below which it is a 408', {
    default: 1024,
    min: 0,
  }),
  SLUICE_UPLOAD_PACE_SECONDS: integer('Time over which the speed of an upload is averaged', {
    default: 60,
    ...seconds,
  }),
  // Blobs of uploads that never ended are garbage after a day.
  SLUICE_UPLOAD_MAX_HOURS: decimal('How long an upload may take', { default: 6, min: 0.0001, max: 20 }),
  SLUICE_READS_AT_ONCE: integer('Concurrent reads per process', { default: 6, min: 1, max: 1000 }),
  // Below the time after which a transaction is given up (`db/transaction.ts`).
  SLUICE_READ_SECONDS: integer('How long a statement of a read may take', { default: 20, min: 1, max: 50 }),
  SLUICE_HEADER_SECONDS: integer('How long the headers of a request may take', { default: 20, ...seconds }),
  SLUICE_DOCUMENT_SECONDS: integer('How long the JSON:API document of a request may take', {
    default: 30,
    ...seconds,
  }),
  SLUICE_IDLE_SECONDS: integer('How long a connection may have no traffic', { default: 120, ...seconds }),
  // Longer than load balancers keep theirs (60 s), or they would send requests into connections that just close.
  SLUICE_KEEP_ALIVE_SECONDS: integer('How long a connection is kept open for its next request', {
    default: 72,
    ...seconds,
  }),
  SLUICE_MAX_CONNECTIONS: integer('Connections per process', { default: 4096, min: 1, max: 1_000_000 }),
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
 * What is wrong with limits that are right by themselves, in sentences. While a client waits, or is waited for, there is no
 * traffic on its connection: it would be closed before the response that is due at the end of that time.
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
