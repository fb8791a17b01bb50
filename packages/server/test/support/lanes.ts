import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { createPool, type Database } from '../../src/db/connect.ts';
import { createFirstTenant } from '../../src/process/first-start.ts';
import { databaseOf, operatorOf, sqlAsTenant } from './administration.ts';
import type { Sandbox } from './sandbox.ts';
import { settings, startService, type TenantService } from './service.ts';
import { until } from './until.ts';

/** A service that test files use one after the other. */
interface Lane {
  readonly url: string;
  readonly database: Database;
  readonly dataDir: string;
  /** The file to which the service writes its stderr. */
  readonly log: string;
}

/** The environment variable in which the global setup of a run passes the lanes to the test files. */
const LANES = 'SLUICE_TEST_LANES';

/** Some tests run statements that wait for others. */
const SQL_CONNECTIONS = 4;

/** Starts a service with this database; by default, with a new one. */
export async function startLane(sandbox: Sandbox, given?: Database): Promise<Lane> {
  const dataDir = await sandbox.newDataDir();
  const log = path.join(dataDir, 'log');
  const environment = { SLUICE_WORKERS: '1', ...(given !== undefined && { DATABASE_URL: given.url }) };
  // The service writes to the file directly, so every log line is written before the response to its request.
  const stderr = openSync(log, 'a');
  const { url, databaseUrl } = await sandbox.startService(environment, dataDir, [], stderr);
  closeSync(stderr);
  return { url, database: given ?? databaseOf(databaseUrl), dataDir, log };
}

export function publishLanes(lanes: readonly Lane[]): void {
  process.env[LANES] = JSON.stringify(lanes);
}

/**
 * A new tenant in a service that other test files also use. `sql` sees only the rows of this tenant; `ownerSql` sees
 * the rows of all tenants.
 */
export interface SharedService extends TenantService {
  /** Releases the service for the next file. */
  readonly leave: () => Promise<void>;
}

/**
 * Creates a tenant in a lane's service, which has default settings and one worker. Other test files may have used the
 * service before, but no other file uses it until `leave` is called or this process exits. Without the lanes of a run,
 * starts a separate service.
 */
export async function joinService(): Promise<SharedService> {
  const lanes: readonly Lane[] = JSON.parse(process.env[LANES] ?? '[]');
  if (lanes.length === 0) {
    const service = await startService({ SLUICE_WORKERS: '1' });
    return { ...service, leave: service.remove };
  }
  const { lane, leave } = await occupyLane(lanes);
  const { url, database, dataDir, log } = lane;
  const begin = statSync(log).size;
  const output = {
    stdout: '',
    get stderr() {
      return readFileSync(log).subarray(begin).toString();
    },
  };
  // Opening a connection takes longer than most statements.
  const pool = createPool(database, { applicationName: 'sluice test', max: SQL_CONNECTIONS });
  const { key, tenantId } = await createFirstTenant(pool);
  const operator = operatorOf(settings(dataDir, {}), async () => database);
  return {
    url,
    key,
    tenantId,
    dataDir,
    output,
    ...operator,
    sql: sqlAsTenant(pool, tenantId),
    leave: async () => {
      await pool.end();
      await leave();
    },
  };
}

/**
 * Takes an advisory lock in the database of a free lane. PostgreSQL releases the lock when this process exits for any
 * reason.
 */
async function occupyLane(lanes: readonly Lane[]): Promise<{ lane: Lane; leave: () => Promise<void> }> {
  return await until(async () => {
    for (const lane of lanes) {
      const socket = new Socket();
      const session = new pg.Client({ connectionString: lane.database.url, stream: () => socket });
      await session.connect();
      const { rows } = await session.query<{ isOurs: boolean }>('select pg_try_advisory_lock(1) as "isOurs"');
      if (rows[0]?.isOurs === true) {
        // The open session must not keep a failed test file running.
        socket.unref();
        return { lane, leave: () => session.end() };
      }
      await session.end();
    }
    return undefined;
  });
}
