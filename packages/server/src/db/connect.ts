import pg from 'pg';
import { type ConnectionTarget, type Host, parseConnectionString } from '../config/connection-string.ts';
import { lowerProcessPriority } from '../lib/scheduling-priority.ts';
import { type Candidate, connectionCandidates } from './connection-candidates.ts';
import { markDistributed } from './distribution.ts';
import { onlyRow } from './only-row.ts';
import { createRoutedClient } from './routed-client.ts';
import { SessionClient } from './session-client.ts';
import { applySettings, readOptions, type SessionSettings } from './session-settings.ts';

export interface Database {
  /** Connection string of the login role that prepares the database. */
  readonly url: string;
  /** Connection string of a separate login role for sessions; without it, sessions use `url`. */
  readonly sessionUrl?: string;
  /** The role that sessions switch to after login, if the login role itself must not be used. */
  readonly role: string | undefined;
  /** Whether the tables are distributed with Citus. */
  readonly isDistributed?: boolean;
  /** Connects to this server instead of the hosts in `url`. */
  readonly server?: Server;
}

/** A PostgreSQL server that must be reached, and no other one with this address. */
interface Server extends Host {
  /** The result of `SYSTEM_ID`. */
  readonly systemId: string;
}

/** Identifies a server. As text, because the number exceeds those of JavaScript. */
export const SYSTEM_ID = 'select system_identifier::text as id from pg_control_system()';

export interface ConnectionOptions {
  /** The name in `pg_stat_activity`, unless the URL sets another name. */
  readonly applicationName: string;
  /** The server ends a session whose transaction is idle for longer, so that a hung worker releases its frame. */
  readonly idleInTransactionMs?: number;
  /** Client-side time limit in milliseconds for connecting and for each statement. */
  readonly timeoutMs?: number;
  /** Server-side time limit of a statement, in milliseconds. */
  readonly statementTimeoutMs?: number;
}

/** The role for requests and workers if the login role could bypass row level security. */
export const APP_ROLE = 'sluice_app';
/** All tables are in this schema, so that an existing database can be shared. */
export const SCHEMA = 'sluice';

/** Interval in milliseconds at which the server checks whether a connection was closed, to cancel its statement. */
export const CONNECTION_CHECK_MS = 1000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Client-side time limit of a probe for the connection attempt and for the statement, in milliseconds. */
const PROBE_TIMEOUT_MS = 1500;
/** Shorter, so that a reachable server reports a slow statement itself. */
const PROBE_STATEMENT_TIMEOUT_MS = 1200;
const KEEPALIVE_SECONDS = 15;

/** Settings with which the server ends the session of a lost client, so that its locks are released. */
export const LOST_CLIENT_SETTINGS: SessionSettings = new Map([
  // A client that disappears silently is detected within about half a minute.
  ['tcp_keepalives_idle', String(KEEPALIVE_SECONDS)],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
  // A client that exits during a statement is detected as well, even while the statement waits for a lock.
  ['client_connection_check_interval', String(CONNECTION_CHECK_MS)],
]);

/**
 * Creates a pool of connections for short transactions. `onLost` is called for a connection that breaks while idle
 * or while `end` closes it; any other error rejects a statement.
 */
export function createPool(
  database: Database,
  options: ConnectionOptions & { readonly max: number },
  onLost: (error: Error) => void = () => undefined,
): pg.Pool {
  const { config, candidates, prepare } = sessionPlan(database, options);
  const find = async () => {
    const found = await connectFirst(candidates, config, prepare);
    await found.client.end();
    return found.candidate;
  };
  const Client = createRoutedClient({ config, candidates, find, prepare });
  const pool = new pg.Pool({ Client, max: options.max, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  if (database.isDistributed === true) markDistributed(pool);
  pool.on('error', onLost);
  return pool;
}

/** Opens one connection, with the role and settings of the service's sessions. */
export async function openConnection(database: Database, options: ConnectionOptions): Promise<pg.Client> {
  const { candidates, config, prepare } = sessionPlan(database, options);
  return (await connectFirst(candidates, config, prepare)).client;
}

/** Opens one connection of the login role. If it breaks, the current or next statement rejects. */
export async function openClient(url: string, options: ConnectionOptions): Promise<pg.Client> {
  const target = parseConnectionString(url);
  const { candidates, config, prepare } = planOf(target, options, readOptions(target.options));
  return (await connectFirst(candidates, config, prepare)).client;
}

/**
 * Runs one statement on a new connection, to determine quickly whether the database responds. Open connections may be
 * busy, and do not show whether the server accepts new connections.
 */
export async function probeDatabase<Row extends pg.QueryResultRow>(
  database: Database,
  sql: string,
): Promise<readonly Row[]> {
  const client = await openConnection(database, {
    applicationName: 'sluice operations',
    timeoutMs: PROBE_TIMEOUT_MS,
    statementTimeoutMs: PROBE_STATEMENT_TIMEOUT_MS,
  });
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    // Not awaited: the server may not respond.
    client.end().catch(() => undefined);
  }
}

/** How to connect, and how to prepare each new session. */
interface Plan {
  readonly config: pg.ClientConfig;
  readonly candidates: readonly Candidate[];
  readonly prepare: (client: pg.ClientBase) => Promise<void>;
}

function sessionPlan(
  { url, sessionUrl, role, isDistributed = false, server }: Database,
  options: ConnectionOptions,
): Plan {
  const configured = parseConnectionString(sessionUrl ?? url);
  const target =
    server === undefined ? configured : { ...configured, hosts: [{ host: server.host, port: server.port }] };
  const settings = new Map(readOptions(target.options));
  // These settings override options in the URL, because row level security depends on the role.
  settings.delete('role');
  settings.set('search_path', SCHEMA);
  settings.set('timezone', 'UTC');
  for (const [name, value] of LOST_CLIENT_SETTINGS) settings.set(name, value);
  const { idleInTransactionMs, statementTimeoutMs } = options;
  if (idleInTransactionMs !== undefined)
    settings.set('idle_in_transaction_session_timeout', String(idleInTransactionMs));
  if (statementTimeoutMs !== undefined) settings.set('statement_timeout', String(statementTimeoutMs));
  if (role !== undefined) settings.set('role', role);
  // Nodes apply the tenant and the planner settings of a transaction.
  if (isDistributed) settings.set('citus.propagate_set_commands', 'local');
  const plan = planOf(target, options, settings);
  if (!isDistributed) return plan;
  const prepare = async (client: pg.ClientBase) => {
    await plan.prepare(client);
    if (server !== undefined) await assertServer(client, server);
    markDistributed(client);
  };
  return { ...plan, prepare };
}

function planOf(target: ConnectionTarget, options: ConnectionOptions, settings: SessionSettings): Plan {
  const { applicationName, timeoutMs } = options;
  return {
    config: {
      application_name: target.applicationName ?? applicationName,
      connectionTimeoutMillis: timeoutMs ?? CONNECT_TIMEOUT_MS,
      ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
      // The same interval as on the server; the operating system's default is two hours.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_SECONDS * 1000,
    },
    candidates: connectionCandidates(target),
    prepare: (client) => applySettings(client, settings, target.needsPrimary),
  };
}

/** Two servers can have the same address if it depends on the machine, such as `localhost`. */
async function assertServer(client: pg.ClientBase, { host, port, systemId }: Server): Promise<void> {
  if (onlyRow(await client.query<{ id: string }>(SYSTEM_ID)).id === systemId) return;
  throw new Error(`${host}:${port} is a different server for this process than for the coordinator`);
}

/** Connects with the first usable candidate. */
async function connectFirst(
  candidates: readonly Candidate[],
  config: pg.ClientConfig,
  prepare: Plan['prepare'],
): Promise<{ client: pg.Client; candidate: Candidate }> {
  for (const candidate of candidates) {
    const client = new SessionClient({ ...config, ...candidate.config });
    try {
      await client.connect();
      await prepare(client);
      return { client, candidate };
    } catch (error) {
      // Not awaited: the server may not respond.
      client.end().catch(() => undefined);
      if (!candidate.allowsNext(error)) throw error;
    }
  }
  throw new Error('the connection string contains no host');
}

/** Gives requests priority over the statements of this connection. PostgreSQL must run on the same machine. */
export async function lowerBackendPriority(client: pg.Client): Promise<void> {
  lowerProcessPriority(await backendPid(client));
}

/** The process id of the connection's PostgreSQL session. */
export async function backendPid(client: pg.Client): Promise<number> {
  return onlyRow(await client.query<{ pid: number }>('select pg_backend_pid() as pid')).pid;
}
