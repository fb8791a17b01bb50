import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { acquireServerLease } from './server-lease.ts';

export interface EmbeddedDatabase {
  readonly url: string;
  /** Lets go of the server, and stops it where nobody else uses it. */
  close(): Promise<void>;
}

/** How often a server may be stopped by its last user at the very moment when we come. */
const ATTEMPTS = 20;
const RETRY_MS = 100;

/** Brings the embedded server up and holds it, so that of several processes the last one stops it. */
export async function openEmbedded(
  dataDir: string,
  log: (message: string) => void,
): Promise<EmbeddedDatabase> {
  for (let attempt = 1; ; attempt++) {
    const server = await startEmbeddedPostgres({ dataDir, log });
    try {
      const hold = await acquireServerLease(server.url);
      return {
        url: server.url,
        close: async () => {
          if (await hold.isLast()) await server.stop();
          await hold.end();
        },
      };
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
  }
}
