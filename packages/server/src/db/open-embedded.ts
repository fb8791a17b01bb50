import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { acquireServerLease } from './server-lease.ts';

export interface EmbeddedDatabase {
  readonly url: string;
  /** Stops the server if no other process uses it. */
  close(): Promise<void>;
}

/** Maximum attempts: another process may stop the server between its start and the lease. */
const ATTEMPTS = 20;
const RETRY_MS = 100;

/**
 * Starts the embedded server if it is not running, and leases it. The last process to release its lease stops the
 * server.
 */
export async function openEmbedded(
  dataDir: string,
  log: (message: string) => void,
): Promise<EmbeddedDatabase> {
  for (let attempt = 1; ; attempt++) {
    const server = await startEmbeddedPostgres({ dataDir, log });
    try {
      const lease = await acquireServerLease(server.url);
      return {
        url: server.url,
        close: async () => {
          if (await lease.release()) await server.stop();
          await lease.end();
        },
      };
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
  }
}
