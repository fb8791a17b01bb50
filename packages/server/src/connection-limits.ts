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

/** Reads a number from a setting, or the default where it is not set. */
type ReadNumber = (name: string, fallback: number, min: number, max?: number) => number;

/** Node's timers take 24 days; more than a day is no time-out. */
const DAY_SECONDS = 86_400;

/** Reads these limits from the settings. */
export function readConnectionLimits(integer: ReadNumber, decimal: ReadNumber): ConnectionLimits {
  return {
    failedAuthenticationsPerMinute: integer('SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE', 300, 0),
    uploadsAtOnce: integer('SLUICE_UPLOADS_AT_ONCE', 16, 1, 10_000),
    uploadQueueSeconds: integer('SLUICE_UPLOAD_QUEUE_SECONDS', 30, 1, DAY_SECONDS),
    uploadMinBytesPerSecond: integer('SLUICE_UPLOAD_MIN_BYTES_PER_SECOND', 1024, 0),
    uploadPaceSeconds: integer('SLUICE_UPLOAD_PACE_SECONDS', 60, 1, DAY_SECONDS),
    // Blobs of uploads that never ended are garbage after a day.
    uploadMaxHours: decimal('SLUICE_UPLOAD_MAX_HOURS', 6, 0.0001, 20),
    readsAtOnce: integer('SLUICE_READS_AT_ONCE', 6, 1, 1000),
    // Below the time after which a transaction is given up (`db/transaction.ts`).
    readSeconds: integer('SLUICE_READ_SECONDS', 20, 1, 50),
    headerSeconds: integer('SLUICE_HEADER_SECONDS', 20, 1, DAY_SECONDS),
    documentSeconds: integer('SLUICE_DOCUMENT_SECONDS', 30, 1, DAY_SECONDS),
    idleSeconds: integer('SLUICE_IDLE_SECONDS', 120, 1, DAY_SECONDS),
    // Longer than load balancers keep theirs (60 s), or they would send requests into connections that just close.
    keepAliveSeconds: integer('SLUICE_KEEP_ALIVE_SECONDS', 72, 1, DAY_SECONDS),
    maxConnections: integer('SLUICE_MAX_CONNECTIONS', 4096, 1, 1_000_000),
  };
}

/**
 * What is wrong with limits that are right by themselves, in sentences. Nothing moves on the connection of a client that
 * is waited for, or that waits: it would be closed before the answer that is due at the end of that time.
 */
export function contradictions(limits: ConnectionLimits): string[] {
  const waits = [
    ['SLUICE_UPLOAD_QUEUE_SECONDS', limits.uploadQueueSeconds],
    ['SLUICE_UPLOAD_PACE_SECONDS', limits.uploadPaceSeconds],
    ['SLUICE_DOCUMENT_SECONDS', limits.documentSeconds],
  ] as const;
  return waits
    .filter(([, seconds]) => seconds >= limits.idleSeconds)
    .map(
      ([name, seconds]) =>
        `SLUICE_IDLE_SECONDS must be more than ${name} (${seconds}), not '${limits.idleSeconds}'`,
    );
}
