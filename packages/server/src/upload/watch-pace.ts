import type { IncomingMessage } from 'node:http';
import { type ApiError, timedOut } from '../jsonapi/errors.ts';

export interface PaceLimits {
  readonly uploadMinBytesPerSecond: number;
  readonly uploadPaceSeconds: number;
  readonly uploadMaxHours: number;
}

export interface WatchedUpload {
  /** Whether what has come waits for us, so that the client could not send more. */
  readonly isHeldByUs: () => boolean;
  readonly fail: (error: ApiError) => void;
}

/** How often a window is looked at; only whole ones count. */
const LOOKS_PER_WINDOW = 20;
const HOUR_MS = 3_600_000;

/**
 * Fails an upload whose client dribbles, or that does not come to an end. Time in which the service itself did not take
 * more is not the client's. The result ends the watch.
 */
export function watchPace(
  request: IncomingMessage,
  limits: PaceLimits,
  { isHeldByUs, fail }: WatchedUpload,
): () => void {
  const { uploadMinBytesPerSecond, uploadPaceSeconds, uploadMaxHours } = limits;
  const windowMs = uploadPaceSeconds * 1000;
  const leastBytes = uploadMinBytesPerSecond * uploadPaceSeconds;
  const { socket } = request;
  let bytesBefore = socket.bytesRead;
  let lookedAt = performance.now();
  let waitedMs = 0;
  const look = () => {
    const now = performance.now();
    if (!isHeldByUs()) waitedMs += now - lookedAt;
    lookedAt = now;
    if (waitedMs < windowMs) return;
    const seen = socket.bytesRead - bytesBefore;
    if (seen < leastBytes) return end(tooSlow(limits, seen));
    bytesBefore = socket.bytesRead;
    waitedMs = 0;
  };
  const looking = setInterval(look, windowMs / LOOKS_PER_WINDOW).unref();
  const ending = setTimeout(() => end(tooLong(uploadMaxHours)), uploadMaxHours * HOUR_MS).unref();
  const stop = () => {
    clearInterval(looking);
    clearTimeout(ending);
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
    `An upload must send ${uploadMinBytesPerSecond} bytes a second on average; in the last ${uploadPaceSeconds} s ${seen} bytes came. Nothing of it was kept`,
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
    `An upload must end within ${hours} hours; nothing of it was kept. Compress the file or split it into several uploads`,
    { limit: 'upload_max_hours', max: hours },
  );
}
