import pg from 'pg';
import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { type Migrated, migrate } from './migrate.ts';

export interface OpenDatabase extends Migrated {
  /** Whether it is the one in the data directory. */
  readonly embedded: boolean;
  /** Whether this call started the embedded server. */
  readonly startedByUs: boolean;
  /** Stops the embedded server; does nothing to a database of somebody else's. */
  close(): Promise<void>;
}

/** Opens the database of the settings, the embedded one where there is none, with its schema up to date. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    await assertReachable(databaseUrl);
    return { ...(await migrate(databaseUrl)), embedded: false, startedByUs: false, close: async () => {} };
  }
  const server = await startEmbeddedPostgres({ dataDir, log });
  try {
    return {
      ...(await migrate(server.url)),
      embedded: true,
      startedByUs: server.startedByUs,
      close: () => server.stop(),
    };
  } catch (error) {
    if (server.startedByUs) await server.stop();
    throw error;
  }
}

async function assertReachable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    const { host, pathname } = new URL(url);
    const reason =
      error instanceof Error ? error.message || ('code' in error ? String(error.code) : '') : String(error);
    throw new OperatorError(`cannot reach the database ${host}${pathname} of DATABASE_URL: ${reason}`, {
      cause: error,
    });
  }
}
