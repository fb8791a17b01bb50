import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../../lib/errors.ts';
import { DATA_DIRECTORY_LOCK, SERVER_LEASE_LOCK, tryAdvisoryLock } from '../advisory-locks.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

export interface EmbeddedDatabase {
  readonly url: string;
  /** Stops the server if no other process uses it. */
  close(): Promise<void>;
}

/** Maximum attempts: another process may stop the server between its start and the lease. */
const ATTEMPTS = 20;
const RETRY_MS = 100;

/** Application names of the pool and of the workers. They identify a running service that lost its lease. */
const SERVICE_SESSIONS = ['sluice api', 'sluice worker'];
/**
 * How long connections that this process has just closed may remain visible. Connections of a running service remain
 * visible for longer.
 */
const DISCONNECT_MS = 5000;
const POLL_MS = 20;

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

/** Prevents other processes from stopping the embedded server. */
interface ServerLease {
  /**
   * Releases the lease. Resolves with true if it was the last lease. An exclusive lock then replaces it, so that no
   * process can acquire a lease before the server is stopped.
   */
  release(): Promise<boolean>;
  end(): Promise<void>;
}

/** Takes a shared advisory lock in its own session. Rejects if the server is shutting down. */
async function acquireServerLease(url: string): Promise<ServerLease> {
  let session = await connect(url);
  await session.client.query('select pg_advisory_lock_shared($1)', [SERVER_LEASE_LOCK]);
  return {
    release: async () => {
      try {
        if (session.isLost()) session = await connect(url);
        else await session.client.query('select pg_advisory_unlock_shared($1)', [SERVER_LEASE_LOCK]);
        return (
          (await tryAdvisoryLock(session.client, SERVER_LEASE_LOCK)) &&
          (await waitForServicesToLeave(session.client))
        );
      } catch {
        // A server that does not respond serves no other process, so it can be stopped.
        return true;
      }
    },
    end: () => session.client.end(),
  };
}

async function connect(url: string): Promise<{ client: pg.Client; isLost: () => boolean }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sluice lease',
    connectionTimeoutMillis: 10_000,
  });
  let isLost = false;
  client.on('error', () => {
    isLost = true;
  });
  await client.connect();
  return { client, isLost: () => isLost };
}

/** Resolves with false if sessions of a service are still open after `DISCONNECT_MS`. */
async function waitForServicesToLeave(client: pg.Client): Promise<boolean> {
  const sessions = 'select from pg_stat_activity where application_name = any($1)';
  for (const start = performance.now(); performance.now() - start < DISCONNECT_MS; await sleep(POLL_MS)) {
    if ((await client.query(sessions, [SERVICE_SESSIONS])).rowCount === 0) return true;
  }
  return false;
}

/**
 * Allows only one `sluice serve` per embedded database while the returned connection is open, because two servers would
 * stop each other's PostgreSQL. A killed process loses the lock with its connection. Throws an OperatorError if the
 * lock is taken.
 */
export async function lockDataDirectory(url: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'sluice serve' });
  // Without a listener, a lost connection would terminate the process. Other connections report the failure.
  client.on('error', () => undefined);
  await client.connect();
  if (await tryAdvisoryLock(client, DATA_DIRECTORY_LOCK)) return client;
  await client.end();
  throw new OperatorError(
    `another 'sluice serve' is using the data directory ${dataDir}; stop it, or set SLUICE_DATA_DIR to another folder`,
  );
}
