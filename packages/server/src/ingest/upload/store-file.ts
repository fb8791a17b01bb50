import { createHash } from 'node:crypto';
import type { Limits } from '../../config/config.ts';
import { ApiError, badRequest } from '../../jsonapi/errors.ts';
import type { HttpMetrics } from '../../observability/metrics/http-metrics.ts';
import type { FrameThread } from '../frames/frame-thread.ts';
import type { WrittenFrames } from '../frames/frame-writer.ts';
import { inflate } from './inflate.ts';

export interface StoredFile {
  readonly written: WrittenFrames;
  readonly receivedBytes: number;
  /** SHA-256 hash of the decompressed content, if requested. */
  readonly sha256: Buffer | undefined;
}

/**
 * Stores an uploaded file durably as a blob of frames. Throws an ApiError if the file is empty, is damaged or exceeds a
 * limit. Removes the blob after any error.
 */
export async function storeFile(
  {
    frames,
    limits,
    metrics,
  }: { readonly frames: FrameThread; readonly limits: Limits; readonly metrics: HttpMetrics },
  { key, withHash }: { readonly key: string; readonly withHash: boolean },
  source: AsyncIterable<Buffer>,
): Promise<StoredFile> {
  const hash = withHash ? createHash('sha256') : undefined;
  let receivedBytes = 0;
  async function* received(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      receivedBytes += chunk.length;
      metrics.uploadedBytes.inc(chunk.length);
      assertWithin(limits.uploadMaxBytes, receivedBytes, 'upload_max_bytes', 'as received');
      yield chunk;
    }
  }

  const sink = frames.open(key);
  try {
    let bytes = 0;
    for await (const chunk of inflate(received())) {
      bytes += chunk.length;
      assertWithin(limits.inflatedMaxBytes, bytes, 'inflated_max_bytes', 'after decompression');
      hash?.update(chunk);
      await sink.write(chunk);
    }
    if (bytes === 0)
      throw badRequest('empty_file', 'The file is empty. Send at least one record.', {
        pointer: '/file',
      });
    const written = await sink.end();
    return { written, receivedBytes, sha256: hash?.digest() };
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** Returns the error response for a file that exceeds a limit, with the limit and the size received so far. */
export function tooLarge(limit: string, max: number, seen: number, state: string): ApiError {
  return new ApiError({
    status: 413,
    code: 'upload_too_large',
    detail: `The upload has at least ${seen} bytes ${state}; the maximum is ${max} bytes. Split it into several uploads.`,
    source: { pointer: '/file' },
    meta: { limit, max, seen },
  });
}

function assertWithin(max: number, seen: number, limit: string, state: string): void {
  if (seen > max) throw tooLarge(limit, max, seen, state);
}
