import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type BlobStore, blobKey } from '../../blobs/blob-store.ts';
import type { Limits } from '../../config/config.ts';
import type { Notifier } from '../../db/notifications.ts';
import type { FrameThread } from '../../ingest/frames/frame-thread.ts';
import { MULTIPART_OVERHEAD_BYTES, receiveMultipart, type TextParts } from '../../ingest/upload/multipart.ts';
import { storeFile, tooLarge } from '../../ingest/upload/store-file.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import { ClientDisconnected } from '../../lib/client-disconnected.ts';
import type { HttpMetrics } from '../../observability/metrics/http-metrics.ts';
import { type Span, traced } from '../../observability/traces/tracing.ts';
import { type InsertedIngestion, insertIngestion } from './insert-ingestion.ts';

export interface UploadContext {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly frames: FrameThread;
  readonly limits: Limits;
  /** Aborted when the process must exit, even if uploads are in progress. The abort reason is an ApiError. */
  readonly shutdownDeadline: AbortSignal;
  readonly metrics: HttpMetrics;
  /** Notifies workers of new frames. */
  readonly notifier: Notifier;
}

export interface UploadRequest {
  /** The request's logger. */
  readonly log: FastifyBaseLogger;
  readonly tenantId: string;
  readonly apiKeyId: string;
  /** The Idempotency-Key header, if any. */
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly span: Span;
}

/**
 * Accepts an upload: streams the file into durable frames and records the job in one transaction. The upload is not
 * visible until that transaction commits. Throws an ApiError if the request is invalid, and ClientDisconnected if the
 * client disconnects.
 */
export async function acceptUpload(
  { pool, blobs, frames, limits, metrics, shutdownDeadline, notifier }: UploadContext,
  request: IncomingMessage,
  { log, tenantId, apiKeyId, idempotencyKey, requestId, span }: UploadRequest,
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
    const { file, fileName, texts } = await traced(span, 'store file', () =>
      receiveMultipart(request, { limits, shutdownDeadline }, (bytes) =>
        storeFile({ frames, limits, metrics }, { key, withHash: idempotencyKey !== undefined }, bytes),
      ),
    );
    const inserted = await traced(span, 'commit', () =>
      insertIngestion(pool, tenantId, {
        id,
        apiKeyId,
        requestedAt,
        requestId,
        traceparent: span.traceparent,
        fileName,
        texts,
        receivedBytes: file.receivedBytes,
        written: file.written,
        idempotency: idempotency(idempotencyKey, file.sha256, texts),
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

/** Throws an ApiError (413) if the Content-Length is too large, before the upload is read. */
export function assertContentLength(request: IncomingMessage, limits: Limits): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limits.uploadMaxBytes + MULTIPART_OVERHEAD_BYTES) {
    throw tooLarge('upload_max_bytes', limits.uploadMaxBytes, length, 'as received');
  }
}

/**
 * Two requests are equal if they have the same file content and text fields. Boundaries, file names and compression are
 * ignored, because a client may compress the file differently when it repeats a request.
 */
function idempotency(
  key: string | undefined,
  fileHash: Buffer | undefined,
  { provider, account }: TextParts,
) {
  if (key === undefined || fileHash === undefined) return undefined;
  const sha256 = createHash('sha256')
    .update(fileHash)
    .update(JSON.stringify([provider, account]))
    .digest();
  return { key, sha256 };
}
