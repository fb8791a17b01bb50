import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { acquireServerLease } from './server-lease.ts';

export interface EmbeddedDatabase {
  readonly url: string;
  /** Stops the server if no other process uses it. */
  close(): Promise<void>;
}

/** Another process may stop the server, as its last user, between the start and the lease. */
const ATTEMPTS = 20;
const RETRY_MS = 100;

/** Starts the embedded server, or uses the running one, and leases it, so that the last process to close it stops it. */
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
