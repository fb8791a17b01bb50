import pg from 'pg';
import { OperatorError } from '../lib/operator-error.ts';
import { DATA_DIRECTORY_LOCK } from './advisory-locks.ts';

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
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    DATA_DIRECTORY_LOCK,
  ]);
  if (rows[0]?.locked === true) return client;
  await client.end();
  throw new OperatorError(
    `another 'sluice serve' is using the data directory ${dataDir}; stop it, or set SLUICE_DATA_DIR to another folder`,
  );
}
