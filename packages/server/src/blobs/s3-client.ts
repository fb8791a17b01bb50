import { S3Client } from '@aws-sdk/client-s3';
import type { BlobStoreSettings } from '../config/blob-store-settings.ts';

/** Retries and time limits of a client. */
export interface S3Timeouts {
  readonly attempts: number;
  readonly connectMs: number;
  /** How long a connection may be idle during a request. */
  readonly idleMs: number;
  /** Time limit of one read, including retries. */
  readonly readMs: number;
}

/**
 * All attempts to send a request to an unresponsive server fit into one minute. After a minute, PostgreSQL would end
 * the worker's transaction and scanners would give up, with errors that hide the cause.
 */
export const DEFAULT_TIMEOUTS: S3Timeouts = {
  attempts: 5,
  connectMs: 5000,
  idleMs: 10_000,
  readMs: 50_000,
};

/**
 * Creates an S3 client. The AWS SDK determines the region, and the credentials (environment, files, instance role) unless the
 * settings contain them.
 */
export function createS3Client(
  { endpoint, credentials }: BlobStoreSettings & { readonly type: 's3' },
  timeouts: S3Timeouts,
): S3Client {
  return new S3Client({
    ...(credentials !== undefined && { credentials }),
    // Servers other than AWS usually do not have a separate host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    retryMode: 'standard',
    maxAttempts: timeouts.attempts,
    // With this header, the client would open a new connection for each part and wait for a response before sending the
    // part.
    expectContinueHeader: false,
    requestHandler: { connectionTimeout: timeouts.connectMs, socketTimeout: timeouts.idleMs },
  });
}
