import type { Logger } from 'pino';
import { BLOB_STORE_MARKER } from '../../blobs/blob-store.ts';
import { isBlobStoreUnavailable } from '../../blobs/blob-store-unavailable.ts';
import { classifyDatabaseError } from '../../db/classify-database-error.ts';
import { TransactionLost } from '../../db/transaction.ts';
import type { StoredFileFault } from '../../observability/worker-report.ts';
import { StoredFileError } from '../frames/stored-bytes.ts';
import { type ClaimedFrame, type FrameJob, rescheduleFrame } from './claim.ts';
import type { FrameContext } from './process-frame.ts';
import { maxRetryDelay, withJitter } from './retry-delay.ts';

/**
 * Delay before a frame is retried after the database was unavailable. The number of retries is not limited: if the
 * frame itself causes the error, other frames are processed in the meantime.
 */
const UNAVAILABLE_DELAY_MS = 5000;

/**
 * Releases a frame after a failed attempt: determines the cause, counts the attempt accordingly and reschedules the
 * frame. The caller commits.
 */
export async function releaseFrame(
  { work, blobs, isSideLost }: FrameContext,
  claim: ClaimedFrame,
  frame: FrameJob | undefined,
  error: unknown,
  log: Logger,
): Promise<'worked' | 'unavailable'> {
  const { failures = 0, interruptions = 0 } = frame ?? {};
  const rescheduleInterrupted = async (fileFault?: StoredFileFault) => {
    const delayMs = withJitter(maxRetryDelay('interruption', interruptions + 1));
    await rescheduleFrame(work, claim, 'interruption', delayMs, fileFault);
    return 'worked' as const;
  };
  const wasInterrupted = async (message: string) => {
    log.warn({ err: error, interruptions: interruptions + 1 }, message);
    return await rescheduleInterrupted();
  };
  const hasFileFault = async ({ code }: StoredFileError) => {
    // Logged only once, because the frame may wait for hours.
    if (frame?.fileFault !== code)
      log.error(
        { err: error, code },
        'the stored file of a frame cannot be read; the frame will be retried until the file is restored',
      );
    return await rescheduleInterrupted(code);
  };
  const isUnavailable = async (message: string, delayMs: number) => {
    log.warn({ err: error }, message);
    await rescheduleFrame(work, claim, 'not_counted', delayMs);
    return 'unavailable' as const;
  };
  if (error instanceof StoredFileError) return await hasFileFault(error);
  if (isBlobStoreUnavailable(error)) {
    const [marker] = await Promise.allSettled([blobs.read(BLOB_STORE_MARKER, 0, 1)]);
    return marker.status === 'fulfilled'
      ? await wasInterrupted('a frame could not be read from the blob store; it will be retried')
      : await isUnavailable('the blob store is unavailable; the worker backs off', 0);
  }
  const fault = classifyDatabaseError(error);
  // Counts as an interruption, as if the connection that holds the claim had also been lost.
  if (isSideLost() || fault === 'connection_lost' || error instanceof TransactionLost)
    return await wasInterrupted(
      'a database connection was lost while processing a frame; it will be retried',
    );
  switch (fault) {
    case 'disk_full':
      return await isUnavailable(
        'the database disk is full; the worker backs off',
        withJitter(UNAVAILABLE_DELAY_MS),
      );
    case 'unavailable':
      return await isUnavailable(
        'the database is unavailable; the worker backs off',
        withJitter(UNAVAILABLE_DELAY_MS),
      );
    case 'interrupted':
      return await wasInterrupted('the database interrupted the processing of a frame; it will be retried');
    case undefined:
      log.error({ err: error, failures: failures + 1 }, 'a frame could not be processed');
      await rescheduleFrame(work, claim, 'failure', withJitter(maxRetryDelay('failure', failures + 1)));
      return 'worked';
  }
}
