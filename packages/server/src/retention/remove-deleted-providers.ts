import type { Logger } from 'pino';
import { REMOVALS_CHANNEL } from '../db/channels.ts';
import { type Database, openConnection } from '../db/connect.ts';
import { lowerBackendPriority } from '../db/lower-backend-priority.ts';
import { WakeUp } from '../ingest/worker/wake-up.ts';
import { ProviderRemover } from './remove-deleted-rows.ts';

export interface RemovalDependencies {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly log: Logger;
  /** Stops the removal after the current statement. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/** Notifications can be missed, so the queue is also polled. */
const POLL_MS = 30 * SECOND;
/**
 * Delay before retrying a removal that failed, is locked by another process, or waits for a frame to end.
 */
const RETRY_MS = 2 * SECOND;

/**
 * Removes the rows of deleted providers until the signal fires. Several processes can run it concurrently, and another
 * process takes over if one is killed. Reconnects after the database was unavailable.
 */
export async function removeDeletedProviders(dependencies: RemovalDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    try {
      await removeOnConnection(dependencies);
    } catch (error) {
      log.warn(
        { err: error },
        'the removal of deleted providers was interrupted by a database error; it will be retried',
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
    wakeUp.trigger();
  });
  try {
    if (embedded) await lowerBackendPriority(client);
    // A power failure may undo a removal, which is then repeated.
    await client.query(`set synchronous_commit to off; listen ${REMOVALS_CHANNEL}`);
    const remover = new ProviderRemover(client, signal);
    while (!signal.aborted) {
      wakeUp.reset();
      let hasRemaining = false;
      let failure: unknown;
      for (const removal of await remover.queued()) {
        if (signal.aborted) return;
        try {
          hasRemaining = !(await remover.remove(removal)) || hasRemaining;
        } catch (error) {
          if (lost !== undefined) throw error;
          log.error(
            { err: error, ...removal },
            'the rows of a deleted provider could not be removed; the removal will be retried',
          );
          failure = error;
        }
      }
      if (lost !== undefined) throw lost;
      // Reconnects, because a failed removal may leave a cursor or a lock in the session that would make the next
      // removal fail.
      if (failure !== undefined) throw failure;
      await wakeUp.wait(hasRemaining ? RETRY_MS : POLL_MS);
    }
  } finally {
    wakeUp.close();
    await Promise.allSettled([client.end()]);
  }
}
