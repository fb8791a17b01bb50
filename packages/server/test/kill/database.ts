import { AssertionError } from 'node:assert';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { postmasterOf } from '../support/postmaster.ts';
import { signalTo } from '../support/process.ts';
import { startPostgresAgain } from '../support/restart-postgres.ts';
import { until } from '../support/until.ts';

/** A separate PostgreSQL server that can be killed and restarted with the same data. */
export interface KilledDatabase {
  /** Returns a `DATABASE_URL` with a process name, which identifies the connections of the process. */
  readonly urlFor: (process: string) => string;
  /** Opens a connection as the superuser. The caller closes it. */
  readonly connect: () => Promise<pg.Client>;
  /** Runs a statement on a new superuser connection. */
  readonly sql: <Row extends pg.QueryResultRow = Record<string, unknown>>(text: string) => Promise<Row[]>;
  /** Kills only the postmaster with SIGKILL, then restarts it as an operator would. */
  readonly killAndStart: () => Promise<void>;
}

/** Starts PostgreSQL in this data directory, with an empty database. */
export async function startKilledDatabase(dataDir: string): Promise<KilledDatabase> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const url = new URL(server.url);
  await queryOnce(url.href, 'create database killed');
  // Behaves like an external PostgreSQL, which does not check client connections during queries.
  await queryOnce(url.href, 'alter database killed set client_connection_check_interval = 0');
  url.pathname = 'killed';
  return {
    urlFor: (process) => {
      const namedUrl = new URL(url);
      namedUrl.searchParams.set('application_name', process);
      return namedUrl.href;
    },
    connect: () => connect(url.href),
    sql: (text) => queryOnce(url.href, text),
    killAndStart: async () => {
      const pid = await postmasterOf(dataDir);
      if (pid === undefined || !signalTo(pid, 'SIGKILL')) throw new Error('no postmaster is running');
      await until(async () => !signalTo(pid, 0));
      // The backends need a moment to detect that the postmaster was killed. Until then, the server cannot be
      // restarted.
      await until(async () => await startPostgresAgain({ dataDir }).then(() => true, hasNotStarted));
    },
  };
}

function hasNotStarted(error: unknown): false {
  if (error instanceof AssertionError) return false;
  throw error;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, options: '-c search_path=sluice' });
  // If the server is killed, both the client and the query report an error.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function queryOnce<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
): Promise<Row[]> {
  const client = await connect(connectionString);
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
