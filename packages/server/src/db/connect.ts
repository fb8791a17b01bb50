import pg from 'pg';

/** The role that requests and workers run as where the login role could bypass row level security. */
export const APP_ROLE = 'sluice_app';
/** All tables live in this schema, so that an existing database can be shared. */
export const SCHEMA = 'sluice';

/** Within so many milliseconds the server ends what runs on a connection that was closed. */
export const CONNECTION_CHECK_MS = 1000;

export interface Database {
  /** `postgres://` URL of the login role that prepares the database. */
  readonly url: string;
  /** URL of a login role that sessions have to themselves; without it they log in as that role too. */
  readonly sessionUrl?: string;
  /** The role that sessions take on after login, where the login role itself must not be used. */
  readonly role: string | undefined;
}

export interface ConnectionOptions {
  /** Shown in `pg_stat_activity`, unless the URL has a name of its own. */
  readonly applicationName: string;
  /** The server ends a session that leaves its transaction idle for longer, so that a hung worker frees its frame. */
  readonly idleInTransactionMs?: number;
}

/** The settings of one connection as `pg` takes them. */
export function connectionConfig(database: Database, options: ConnectionOptions): pg.ClientConfig {
  const settings: Record<string, string | number> = {
    search_path: SCHEMA,
    timezone: 'UTC',
    // A peer that vanished without a word is found out within about half a minute.
    tcp_keepalives_idle: 15,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    // One that was ended in the middle of a statement, also of one that waits for a lock.
    client_connection_check_interval: CONNECTION_CHECK_MS,
  };
  if (database.role !== undefined) settings.role = database.role;
  if (options.idleInTransactionMs !== undefined) {
    settings.idle_in_transaction_session_timeout = options.idleInTransactionMs;
  }
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  // What a URL names, `pg` puts in the place of what it is given beside it: the name of an application may be.
  const url = new URL(database.sessionUrl ?? database.url);
  const theirs = url.searchParams.getAll('options');
  url.searchParams.delete('options');
  return {
    connectionString: url.href,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    // The same on our side, where the system's own patience is two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    // The last word counts: ours, for row level security rests on the role.
    options: [...theirs, ...ours].join(' '),
  };
}

/**
 * A pool of connections for short transactions. A connection that breaks while nobody uses it, which includes one that
 * `end` is still closing, is reported to `onLost`; any other error is that of a statement.
 */
export function createPool(
  database: Database,
  options: ConnectionOptions & { readonly max: number },
  onLost: (error: Error) => void = () => undefined,
): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(database, options), max: options.max });
  pool.on('error', onLost);
  // The pool's own listener is off while a connection is out.
  pool.on('connect', outliveBreak);
  return pool;
}

/** One open connection, as a session of the service. */
export async function openConnection(database: Database, options: ConnectionOptions): Promise<pg.Client> {
  return await connect(connectionConfig(database, options));
}

/** One open connection of the login role. Where it breaks, the statement that runs or the next one rejects. */
export async function openClient(url: string, { applicationName }: ConnectionOptions): Promise<pg.Client> {
  return await connect({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
  });
}

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  outliveBreak(client);
  await client.connect();
  return client;
}

/** Without a listener, a connection that breaks between two statements ends the process. */
function outliveBreak(client: pg.ClientBase): void {
  client.on('error', () => undefined);
}
