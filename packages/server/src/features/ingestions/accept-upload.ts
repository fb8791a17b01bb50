import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type BlobStore, blobKey } from '../../blob-store/blob-store.ts';
import type { Limits } from '../../config.ts';
import type { FrameThread } from '../../frames/frame-thread.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import {
  ClientDisconnected,
  MULTIPART_OVERHEAD_BYTES,
  receiveMultipart,
  type TextParts,
} from '../../upload/multipart.ts';
import { storeFile, tooLarge } from '../../upload/store-file.ts';
import { type InsertedIngestion, insertIngestion } from './insert-ingestion.ts';

export interface UploadContext {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly frames: FrameThread;
  readonly limits: Limits;
}

export interface Uploader {
  readonly tenantId: string;
  readonly apiKeyId: string;
  /** Of the request's header, where it has one. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Takes one upload: streams the file into durable frames and records the job in one transaction. Until that
 * commits nothing of the upload is visible. Throws an ApiError where the request is wrong, and
 * ClientDisconnected.
 */
export async function acceptUpload(
  { pool, blobs, frames, limits }: UploadContext,
  request: IncomingMessage,
  { tenantId, apiKeyId, idempotencyKey }: Uploader,
): Promise<InsertedIngestion> {
  const requestedAt = new Date();
  const id = uuidv7();
  const key = blobKey(tenantId, id, requestedAt);
  try {
    const { file, fileName, texts } = await receiveMultipart(request, limits, (bytes) =>
      storeFile({ frames, limits }, { key, withHash: idempotencyKey !== undefined }, bytes),
    );
    const inserted = await insertIngestion(pool, tenantId, {
      id,
      apiKeyId,
      requestedAt,
      fileName,
      texts,
      receivedBytes: file.receivedBytes,
      written: file.written,
      idempotency: idempotency(idempotencyKey, file.sha256, texts),
    });
    if (inserted.replayed) await blobs.delete(key);
    return inserted;
  } catch (error) {
    // After any other error it may be unknown whether the job was committed, so its blob has to stay.
    if (error instanceof ApiError || error instanceof ClientDisconnected) await blobs.delete(key);
    throw error;
  }
}

/** Refuses what is announced to be too large before any of it is read. Throws an ApiError (413). */
export function assertContentLength(request: IncomingMessage, limits: Limits): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limits.uploadMaxBytes + MULTIPART_OVERHEAD_BYTES) {
    throw tooLarge('upload_max_bytes', limits.uploadMaxBytes, length, 'as received');
  }
}

/**
 * Two requests are the same when the file's content and the text parts are; boundaries, file names and how the
 * file was compressed do not count: a client that repeats a request may have another version of its compressor.
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
