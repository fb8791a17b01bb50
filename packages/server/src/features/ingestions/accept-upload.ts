import type { IncomingMessage } from 'node:http';
import type { Limits } from '../../config/config.ts';
import type { FrameThread } from '../../ingest/frames/frame-thread.ts';
import { MULTIPART_OVERHEAD_BYTES, receiveMultipart } from '../../ingest/upload/multipart.ts';
import { storeFile, tooLarge } from '../../ingest/upload/store-file.ts';
import { type AcceptContext, type AcceptRequest, acceptFile, idempotencyOf } from './accept-file.ts';
import type { InsertedIngestion } from './insert-ingestion.ts';

export interface UploadContext extends AcceptContext {
  readonly frames: FrameThread;
  readonly limits: Limits;
  /** Aborted when the process must exit, even if uploads are in progress. The abort reason is an ApiError. */
  readonly shutdownDeadline: AbortSignal;
}

/**
 * Accepts an upload: streams the file into durable frames and records the job. Throws an ApiError if the request is
 * invalid, and ClientDisconnected if the client disconnects.
 */
export async function acceptUpload(
  context: UploadContext,
  request: IncomingMessage,
  accept: AcceptRequest,
): Promise<InsertedIngestion> {
  const { frames, limits, metrics, shutdownDeadline } = context;
  const { idempotencyKey } = accept;
  return await acceptFile(context, accept, async (key) => {
    const { file, fileName, texts } = await receiveMultipart(request, { limits, shutdownDeadline }, (bytes) =>
      storeFile({ frames, limits, metrics }, { key, withHash: idempotencyKey !== undefined }, bytes),
    );
    const { receivedBytes, written, sha256 } = file;
    // Boundaries, file names and compression are ignored, because a client may compress the file differently when it
    // repeats a request.
    return {
      fileName,
      texts,
      receivedBytes,
      written,
      idempotency: idempotencyOf(idempotencyKey, sha256, texts),
    };
  });
}

/** Throws an ApiError (413) if the Content-Length is too large, before the upload is read. */
export function assertContentLength(request: IncomingMessage, limits: Limits): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limits.uploadMaxBytes + MULTIPART_OVERHEAD_BYTES) {
    throw tooLarge('upload_max_bytes', limits.uploadMaxBytes, length, 'as received');
  }
}
