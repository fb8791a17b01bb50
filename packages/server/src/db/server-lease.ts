import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOCK = 7_517_342_005;
/** As `createPool` and the workers name them. A service that lost its hold is still known by these. */
const SERVICE_SESSIONS = ['sluice api', 'sluice worker'];
/** Connections that we have just ended may take this long to be gone; those of a service that runs stay. */
const LEAVING_MS = 5000;
const POLL_MS = 20;

/** Keeps others from stopping the server. */
export interface ServerLease {
  /** Gives the hold up. Where nobody else has one it stays taken, so that nobody can come before the server is stopped. */
  isLast(): Promise<boolean>;
  end(): Promise<void>;
}

/** Takes a shared advisory lock in a session of its own; rejects where the server is being stopped just now. */
export async function acquireServerLease(url: string): Promise<ServerLease> {
  let session = await connect(url);
  await session.client.query('select pg_advisory_lock_shared($1)', [LOCK]);
  return {
    isLast: async () => {
      try {
        if (session.isLost()) session = await connect(url);
        else await session.client.query('select pg_advisory_unlock_shared($1)', [LOCK]);
        return (await takeAlone(session.client)) && (await noService(session.client));
      } catch {
        // It does not answer: nothing is kept from anybody by stopping it.
        return true;
      }
    },
    end: () => session.client.end(),
  };
}

async function takeAlone(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
  return rows[0]?.taken === true;
}

async function noService(client: pg.Client): Promise<boolean> {
  const sessions = 'select from pg_stat_activity where application_name = any($1)';
  for (const start = performance.now(); performance.now() - start < LEAVING_MS; await sleep(POLL_MS)) {
    if ((await client.query(sessions, [SERVICE_SESSIONS])).rowCount === 0) return true;
  }
  return false;
}

async function connect(url: string): Promise<{ client: pg.Client; isLost: () => boolean }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sluice hold',
    connectionTimeoutMillis: 10_000,
  });
  let lost = false;
  client.on('error', () => {
    lost = true;
  });
  await client.connect();
  return { client, isLost: () => lost };
}
