import type { Logger } from 'pino';
import { BLOB_STORE_MARKER } from '../blob-store/blob-store.ts';
import { isBlobStoreUnavailable } from '../blob-store/blob-store-unavailable.ts';
import { classifyDatabaseError } from '../db/classify-database-error.ts';
import { TransactionLost } from '../db/transaction.ts';
import { StoredFileError } from '../frames/stored-bytes.ts';
import { type ClaimedFrame, type FrameJob, putOff } from './claim.ts';
import type { FrameContext } from './process-frame.ts';
import { longestPause, spread } from './retry-pause.ts';

/**
 * How long a frame rests on which the database was found to be away. It is tried without an end; where it is its own fault
 * after all, others have their turn in the meantime.
 */
const AWAY_PAUSE_MS = 5000;

/** Decides whose fault it was that a try came to nothing, counts it and lets the frame wait. The caller commits. */
export async function giveBack(
  { work, blobs, isSideLost }: FrameContext,
  claim: ClaimedFrame,
  frame: FrameJob | undefined,
  error: unknown,
  log: Logger,
): Promise<'worked' | 'away'> {
  const { failures = 0, interruptions = 0 } = frame ?? {};
  const wasCutOff = async (message: string) => {
    log.warn({ err: error, interruptions: interruptions + 1 }, message);
    await putOff(work, claim, 'interruption', spread(longestPause('interruption', interruptions + 1)));
    return 'worked' as const;
  };
  const hasFault = async ({ code }: StoredFileError) => {
    // Once: it may wait for hours.
    if (frame?.fileFault !== code)
      log.error({ err: error, code }, 'the stored file of a frame cannot be read: the frame waits for it');
    await putOff(work, claim, 'interruption', spread(longestPause('interruption', interruptions + 1)), code);
    return 'worked' as const;
  };
  const isAway = async (message: string, pauseMs: number) => {
    log.warn({ err: error }, message);
    await putOff(work, claim, 'nothing', pauseMs);
    return 'away' as const;
  };
  if (error instanceof StoredFileError) return await hasFault(error);
  if (isBlobStoreUnavailable(error)) {
    const [mark] = await Promise.allSettled([blobs.read(BLOB_STORE_MARKER, 0, 1)]);
    return mark.status === 'fulfilled'
      ? await wasCutOff('the blob store does not give a frame: it is tried again later')
      : await isAway('the blob store is away: the worker waits', 0);
  }
  const fault = classifyDatabaseError(error);
  // The same as if the connection that holds the claim had broken, too: a frame that was begun and did not end.
  if (isSideLost() || fault === 'connection_lost' || error instanceof TransactionLost)
    return await wasCutOff('a connection broke under a frame: it is tried again later');
  switch (fault) {
    case 'disk_full':
      return await isAway('the disk of the database is full: the worker waits', spread(AWAY_PAUSE_MS));
    case 'unavailable':
      return await isAway('the database cannot work: the worker waits', spread(AWAY_PAUSE_MS));
    case 'interrupted':
      return await wasCutOff('the database cut a frame off: it is tried again later');
    case undefined:
      log.error({ err: error, failures: failures + 1 }, 'a frame could not be processed');
      await putOff(work, claim, 'failure', spread(longestPause('failure', failures + 1)));
      return 'worked';
  }
}
