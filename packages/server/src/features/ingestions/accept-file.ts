import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type BlobStore, blobKey } from '../../blobs/blob-store.ts';
import type { Notifier } from '../../db/notifications.ts';
import { DEFAULT_COVERAGE } from '../../ingest/upload/coverage.ts';
import type { TextParts } from '../../ingest/upload/text-parts.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import { ClientDisconnected } from '../../lib/client-disconnected.ts';
import type { HttpMetrics } from '../../observability/metrics/http-metrics.ts';
import { type Span, traced } from '../../observability/traces/tracing.ts';
import { type InsertedIngestion, insertIngestion, type NewIngestion } from './insert-ingestion.ts';

export interface AcceptContext {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly metrics: HttpMetrics;
  /** Notifies workers of new frames. */
  readonly notifier: Notifier;
}

export interface AcceptRequest {
  /** The request's logger. */
  readonly log: FastifyBaseLogger;
  readonly tenantId: string;
  readonly apiKeyId: string;
  /** The Idempotency-Key header, if any. */
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly span: Span;
}

/** A file whose frames are durable, and the properties of its job. */
export type AcceptedFile = Pick<
  NewIngestion,
  'fileName' | 'texts' | 'receivedBytes' | 'written' | 'idempotency' | 'defaultTime'
>;

/**
 * Stores a file and records its job in one transaction. The job is not visible until that transaction commits. `store`
 * stores the file durably as the blob with this key, and leaves no blob if it throws. If a request with the same
 * Idempotency-Key has created a job, removes the blob and returns that job.
 */
export async function acceptFile(
  { pool, blobs, metrics, notifier }: AcceptContext,
  { log, tenantId, apiKeyId, requestId, span }: AcceptRequest,
  store: (key: string) => Promise<AcceptedFile>,
): Promise<InsertedIngestion> {
  const requestedAt = new Date();
  const id = uuidv7();
  const key = blobKey(tenantId, id, requestedAt);
  const discard = async () => {
    await blobs.delete(key).catch((error: unknown) => {
      // Return the original error even if the blob cannot be removed.
      log.warn(
        { err: error, key },
        'the blob of a rejected upload could not be removed; garbage collection will remove it',
      );
    });
  };
  span.set({ 'sluice.tenant.id': tenantId, 'sluice.ingestion.id': id });
  metrics.uploads.inc();
  try {
    const file = await traced(span, 'store file', () => store(key));
    const inserted = await traced(span, 'commit', () =>
      insertIngestion(pool, tenantId, {
        ...file,
        id,
        apiKeyId,
        requestedAt,
        requestId,
        traceparent: span.traceparent,
      }),
    );
    if (inserted.replayed) await discard();
    else notifier.notify();
    return inserted;
  } catch (error) {
    // After any other error, the job may have been committed, so keep its blob.
    if (error instanceof ApiError || error instanceof ClientDisconnected) await discard();
    throw error;
  } finally {
    metrics.uploads.dec();
  }
}

/**
 * The hash of a request is the same for equal requests: those with the same content and text fields, whose labels can
 * be in any order.
 */
export function idempotencyOf(
  key: string | undefined,
  content: Buffer | string | undefined,
  { provider, account, coverage, dryRun, labels }: TextParts,
): NewIngestion['idempotency'] {
  if (key === undefined || content === undefined) return undefined;
  // Left out by default, so that requests are equal to those of releases that did not know them.
  const declared = [...(coverage === DEFAULT_COVERAGE ? [] : [coverage]), ...(dryRun ? ['dry_run'] : [])];
  const sha256 = createHash('sha256')
    .update(content)
    .update(JSON.stringify([provider, account, ...declared, ...Object.entries(labels).sort()]))
    .digest();
  return { key, sha256 };
}
