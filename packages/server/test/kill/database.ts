import { AssertionError } from 'node:assert';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { postmasterOf } from '../support/postmaster.ts';
import { signalTo } from '../support/process.ts';
import { startPostgresAgain } from '../support/restart-postgres.ts';
import { until } from '../support/until.ts';

/** A PostgreSQL of its own, which can be killed and started again on its data. */
export interface KilledDatabase {
  /** The `DATABASE_URL` for a process; its connections can be told by the name. */
  readonly urlFor: (process: string) => string;
  /** A connection of its own, as the superuser; the caller ends it. */
  readonly connect: () => Promise<pg.Client>;
  /** One statement on such a connection. */
  readonly sql: <Row extends pg.QueryResultRow = Record<string, unknown>>(text: string) => Promise<Row[]>;
  /** SIGKILL to the postmaster, and to nothing else of it, then a start as an operator would do it. */
  readonly killAndStart: () => Promise<void>;
}

/** Starts it in this data directory, with an empty database. */
export async function startKilledDatabase(dataDir: string): Promise<KilledDatabase> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const url = new URL(server.url);
  await queryOnce(url.href, 'create database killed');
  // As a PostgreSQL of your own has it; the embedded one looks by itself.
  await queryOnce(url.href, 'alter database killed set client_connection_check_interval = 0');
  url.pathname = 'killed';
  return {
    urlFor: (process) => {
      const named = new URL(url);
      named.searchParams.set('application_name', process);
      return named.href;
    },
    connect: () => connect(url.href),
    sql: (text) => queryOnce(url.href, text),
    killAndStart: async () => {
      const pid = await postmasterOf(dataDir);
      if (pid === undefined || !signalTo(pid, 'SIGKILL')) throw new Error('no postmaster runs');
      await until(async () => !signalTo(pid, 0));
      // The backends of the killed one may need a moment to see that it is gone; until then it cannot start.
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
  // A server that is killed says so here as well as to the query.
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
