import pg from 'pg';
import { APP_ROLE, createPool, type Database } from '../../src/db/connect.ts';
import { asTenant } from '../../src/db/transaction.ts';
import { runInProcess } from './run-in-process.ts';

const SUPERUSER = 'postgres';

export type Row = Record<string, unknown>;

type Sql = <Result extends pg.QueryResultRow = Row>(text: string, values?: unknown[]) => Promise<Result[]>;

/** Operator access to a service. */
export interface OperatorAccess {
  /** Returns the result of `sluice ... --json` with the settings of the service. Rejects if the command fails. */
  readonly sluiceJson: <Result = Row>(...args: string[]) => Promise<Result>;
  /** Opens a connection as the database owner, who sees all tenants. The caller must close the connection. */
  readonly connect: () => Promise<pg.Client>;
  /**
   * Runs a statement as the database owner, on a new connection. On a shared service, the statement sees only the rows
   * of this tenant, and its connection is used again.
   */
  readonly sql: Sql;
  /** Runs a statement as the database owner, who sees all tenants. */
  readonly ownerSql: Sql;
}

/**
 * Operator access to a service with these settings. Commands run in this process, and SQL runs as the database owner.
 */
export function operatorOf(env: NodeJS.ProcessEnv, database: () => Promise<Database>): OperatorAccess {
  const connect = async () => {
    const { url } = await database();
    const client = new pg.Client({ connectionString: url, options: '-c search_path=sluice' });
    await client.connect();
    return client;
  };
  const sql: Sql = async <Result extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const client = await connect();
    try {
      return (await client.query<Result>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    connect,
    sql,
    ownerSql: sql,
    sluiceJson: async (...commandLine) => await runCommand(env, await database(), commandLine),
  };
}

/**
 * Runs a statement in sessions configured like those of the service. Row level security restricts the session to the
 * tenant.
 */
export function sqlAsTenant(pool: pg.Pool, tenantId: string): Sql {
  return async <Result extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    await asTenant(pool, tenantId, async (client) => (await client.query<Result>(text, values)).rows);
}

/** Returns the result of `sluice ... --json`. Throws an error if the command fails. */
async function runCommand(env: NodeJS.ProcessEnv, database: Database, commandLine: readonly string[]) {
  const { exitCode, stdout, stderr } = await runInProcess([...commandLine, '--json'], {
    env,
    withPool: (_config, work) => withPool(database, work),
  });
  if (exitCode !== 0)
    throw new Error(`sluice ${commandLine.join(' ')} exited with code ${exitCode}: ${stderr.trimEnd()}`);
  return JSON.parse(stdout);
}

/** How the service uses a database with this URL that is not distributed. */
export function databaseOf(url: string): Database {
  return { url, role: new URL(url).username === SUPERUSER ? APP_ROLE : undefined };
}

/** Provides a pool with sessions configured like those of the service, restricted by row level security. */
export async function withPool<Result>(
  database: Database,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(database, { applicationName: 'sluice test', max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
