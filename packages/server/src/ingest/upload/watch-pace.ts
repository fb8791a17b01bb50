import type { IncomingMessage } from 'node:http';
import { type ApiError, timedOut } from '../../jsonapi/errors.ts';

export interface PaceLimits {
  readonly uploadMinBytesPerSecond: number;
  readonly uploadPaceSeconds: number;
  readonly uploadMaxHours: number;
}

export interface WatchedUpload {
  /** Whether the server still has to process received data before the client can send more. */
  readonly isWaitingForServer: () => boolean;
  readonly fail: (error: ApiError) => void;
}

/** Number of pace checks per window. Only complete windows are evaluated. */
const CHECKS_PER_WINDOW = 20;
const HOUR_MS = 3_600_000;

/**
 * Fails an upload that is too slow or takes too long. The time during which the server does not accept data does not
 * count toward the transfer rate. Returns a function that stops the check.
 */
export function watchPace(
  request: IncomingMessage,
  limits: PaceLimits,
  { isWaitingForServer, fail }: WatchedUpload,
): () => void {
  const { uploadMinBytesPerSecond, uploadPaceSeconds, uploadMaxHours } = limits;
  const windowMs = uploadPaceSeconds * 1000;
  const minBytes = uploadMinBytesPerSecond * uploadPaceSeconds;
  const { socket } = request;
  let bytesBefore = socket.bytesRead;
  let checkedAt = performance.now();
  let waitedMs = 0;
  const check = () => {
    const now = performance.now();
    if (!isWaitingForServer()) waitedMs += now - checkedAt;
    checkedAt = now;
    if (waitedMs < windowMs) return;
    const seen = socket.bytesRead - bytesBefore;
    if (seen < minBytes) return end(tooSlow(limits, seen));
    bytesBefore = socket.bytesRead;
    waitedMs = 0;
  };
  const checkTimer = setInterval(check, windowMs / CHECKS_PER_WINDOW).unref();
  const endTimer = setTimeout(() => end(tooLong(uploadMaxHours)), uploadMaxHours * HOUR_MS).unref();
  const stop = () => {
    clearInterval(checkTimer);
    clearTimeout(endTimer);
  };
  const end = (error: ApiError) => {
    stop();
    fail(error);
  };
  request.once('end', stop).once('close', stop);
  return stop;
}

function tooSlow({ uploadMinBytesPerSecond, uploadPaceSeconds }: PaceLimits, seen: number): ApiError {
  return timedOut(
    'upload_too_slow',
    `The server received ${seen} bytes in ${uploadPaceSeconds} seconds; the minimum is ${uploadMinBytesPerSecond} bytes per second. Nothing was stored.`,
    {
      limit: 'upload_min_bytes_per_second',
      min: uploadMinBytesPerSecond,
      seen: Math.floor(seen / uploadPaceSeconds),
    },
  );
}

function tooLong(hours: number): ApiError {
  return timedOut(
    'upload_too_long',
    `The upload took longer than ${hours} hours and was discarded. Compress the file or split it into several uploads.`,
    { limit: 'upload_max_hours', max: hours },
  );
}
