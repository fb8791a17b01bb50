import { AssertionError } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { createOwnCitusDatabase } from '../support/citus.ts';
import { postmasterOf } from '../support/postmaster.ts';
import { signalTo } from '../support/process.ts';
import { startPostgresAgain } from '../support/restart-postgres.ts';
import { until } from '../support/until.ts';

/** A PostgreSQL server that can be killed and restarted with the same data. */
export interface KilledServer {
  readonly name: string;
  /** Kills the server, then restarts it as an operator would. */
  readonly killAndStart: () => Promise<void>;
}

/** A database on one server, or on a cluster. */
export interface KilledDatabase {
  /** Returns a `DATABASE_URL` with a process name, which identifies the connections of the process. */
  readonly urlFor: (process: string) => string;
  /** Opens a connection as the superuser. The caller closes it. */
  readonly connect: () => Promise<pg.Client>;
  /** Runs a statement on a new superuser connection. */
  readonly sql: <Row extends pg.QueryResultRow = Record<string, unknown>>(text: string) => Promise<Row[]>;
  /** The server to which processes connect. */
  readonly server: KilledServer;
  /** The worker nodes of a cluster. */
  readonly nodes: readonly KilledServer[];
  /** The arguments of `sluice` that create the tables. */
  readonly migration: readonly string[];
  readonly remove: () => Promise<void>;
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
    urlFor: (process) => named(url.href, process),
    connect: () => connect(url.href),
    sql: (text) => queryOnce(url.href, text),
    server: {
      name: 'postmaster',
      killAndStart: async () => {
        // Only the postmaster, with SIGKILL.
        const pid = await postmasterOf(dataDir);
        if (pid === undefined || !signalTo(pid, 'SIGKILL')) throw new Error('no postmaster is running');
        await until(async () => !signalTo(pid, 0));
        await restart(dataDir);
      },
    },
    nodes: [],
    migration: ['migrate'],
    // The sandbox stops the server.
    remove: async () => {},
  };
}

/** Time that a node of a cluster is down, in milliseconds. */
const DOWN_MS = 1500;

/** Starts a Citus cluster with an empty database. */
export async function startKilledCluster(): Promise<KilledDatabase> {
  const citus = await createOwnCitusDatabase();
  const serverOf = (name: string, node: number): KilledServer => ({
    name,
    killAndStart: async () => {
      citus.killNode(node);
      await sleep(DOWN_MS);
      citus.startNode(node);
    },
  });
  return {
    urlFor: (process) => named(citus.ownerUrl, process),
    connect: () => connect(citus.url),
    sql: (text) => queryOnce(citus.url, text),
    server: serverOf('coordinator', 0),
    nodes: citus.workers.map((_, at) => serverOf(`node ${at + 1}`, at + 1)),
    migration: ['migrate', '--distribute', '--shards', '8'],
    remove: citus.remove,
  };
}

function named(url: string, process: string): string {
  const namedUrl = new URL(url);
  namedUrl.searchParams.set('application_name', process);
  return namedUrl.href;
}

/** The backends need a moment to detect that the postmaster was killed. Until then, the server cannot be restarted. */
async function restart(dataDir: string): Promise<void> {
  let cause: unknown;
  const tryOnce = async () => {
    try {
      await startPostgresAgain({ dataDir });
      return true;
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      cause = error;
      return false;
    }
  };
  try {
    await until(tryOnce);
  } catch (error) {
    throw cause === undefined ? error : new Error('PostgreSQL could not be restarted', { cause });
  }
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
