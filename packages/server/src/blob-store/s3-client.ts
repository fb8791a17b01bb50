import { S3Client } from '@aws-sdk/client-s3';
import type { BlobStoreSettings } from './blob-store-settings.ts';

/** How patient a client is. */
export interface S3Timeouts {
  readonly attempts: number;
  readonly connectMs: number;
  /** For how long a connection may stand still. */
  readonly silenceMs: number;
  /** For all of one read. */
  readonly readMs: number;
}

/**
 * All attempts of a request to a server that has gone silent fit into the minute after which PostgreSQL ends a
 * worker's transaction and scanners that push give up, so that they hear of S3 and not of a consequence.
 */
export const PATIENCE: S3Timeouts = { attempts: 5, connectMs: 5000, silenceMs: 10_000, readMs: 50_000 };

/**
 * A client of S3. The AWS SDK finds the region, and the credentials unless the settings have them (environment, files, the
 * role of the machine).
 */
export function createS3Client(
  { endpoint, credentials }: BlobStoreSettings & { readonly type: 's3' },
  patience: S3Timeouts,
): S3Client {
  return new S3Client({
    ...(credentials !== undefined && { credentials }),
    // Other servers have no host name per bucket, as a rule.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    retryMode: 'standard',
    maxAttempts: patience.attempts,
    // It would open a new connection per part, and wait for an answer before each.
    expectContinueHeader: false,
    requestHandler: { connectionTimeout: patience.connectMs, socketTimeout: patience.silenceMs },
  });
}
