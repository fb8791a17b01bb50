import type { Logger } from 'pino';
import { type Database, openConnection } from '../db/connect.ts';
import { lowerBackendPriority } from '../db/lower-backend-priority.ts';
import { REMOVAL_CHANNEL } from '../features/providers/removal-channel.ts';
import { ProviderRemover } from './remove-deleted-rows.ts';
import { WakeUp } from './wake-up.ts';

export interface RemovalDependencies {
  readonly database: Database;
  /** PostgreSQL runs here and for this service alone. */
  readonly embedded: boolean;
  readonly log: Logger;
  /** Ends it, after the statement that runs. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/** A notification can be missed; then the queue is looked at after this. */
const POLL_MS = 30 * SECOND;
/** What failed, is another process's, or waits for a frame to end is looked at again after this. */
const RETRY_MS = 2 * SECOND;

/**
 * Removes the rows of deleted providers until the signal. Any number of processes may do it at once; what one that was
 * killed has left, the next one finds. Goes on by itself after the database was away.
 */
export async function removeDeletedProviders(dependencies: RemovalDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    try {
      await removeOnConnection(dependencies);
    } catch (error) {
      log.warn(
        { err: error },
        'deleted providers could not be removed: the connection was lost or refused the work; it is tried again',
      );
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function removeOnConnection({ database, embedded, log, signal }: RemovalDependencies): Promise<void> {
  const client = await openConnection(database, { applicationName: 'sluice worker' });
  const wakeUp = new WakeUp(client, signal);
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
    wakeUp.ring();
  });
  try {
    if (embedded) await lowerBackendPriority(client);
    // What a power cut takes back is removed once more.
    await client.query(`set synchronous_commit to off; listen ${REMOVAL_CHANNEL}`);
    const remover = new ProviderRemover(client, signal);
    while (!signal.aborted) {
      wakeUp.reset();
      let isLeft = false;
      let failure: unknown;
      for (const removal of await remover.queued()) {
        if (signal.aborted) return;
        try {
          isLeft = !(await remover.remove(removal)) || isLeft;
        } catch (error) {
          if (lost !== undefined) throw error;
          log.error(
            { err: error, ...removal },
            'the rows of a deleted provider could not be removed; it is tried again',
          );
          failure = error;
        }
      }
      if (lost !== undefined) throw lost;
      // What a failed removal may have left in the session (a cursor, a lock) would make every other one fail.
      if (failure !== undefined) throw failure;
      await wakeUp.wait(isLeft ? RETRY_MS : POLL_MS);
    }
  } finally {
    wakeUp.close();
    await Promise.allSettled([client.end()]);
  }
}
