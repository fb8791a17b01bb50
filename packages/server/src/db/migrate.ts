import pg from 'pg';
import { OperatorError } from '../lib/errors.ts';
import { applyMigrations, underMigrationLock } from './apply-migrations.ts';
import { APP_ROLE, type Database, openClient } from './connect.ts';
import { INSUFFICIENT_PRIVILEGE } from './database-errors.ts';
import { type BackfillProgress, readBackfillProgress } from './finding-backfills.ts';
import { assertWhole, type Distribution, readDistribution } from './read-distribution.ts';
import { reportLockWaits } from './report-lock-waits.ts';
import { enableLogin, prepareRole, type RoleState, readRoleState, sessionUrl } from './restricted-role.ts';
import {
  assertCompatible,
  assertUpToDate,
  readMigrationFiles,
  readSchemaState,
  type SchemaState,
} from './schema-state.ts';

const MIN_SERVER_VERSION = 150_000;

export interface MigratedDatabase {
  /** How requests and workers connect. */
  readonly database: Database;
  /** Names of the migrations that this call applied. */
  readonly applied: readonly string[];
  /** `undefined` if the tables are not distributed. */
  readonly distribution: Distribution | undefined;
}

export interface InspectedSchema extends SchemaState {
  /** `undefined` if all findings are backfilled. */
  readonly backfill: BackfillProgress | undefined;
  /** `undefined` if the tables are not distributed. */
  readonly distribution: Distribution | undefined;
}

export interface MigrateOptions {
  /** Whether the server is embedded. If so, the restricted role has its own login. */
  readonly isEmbedded?: boolean;
  /** Whether the tables may be partly distributed, because the caller distributes them. */
  readonly isDistributing?: boolean;
  /** Called with a message when a migration waits for a lock. */
  readonly log?: (message: string) => void;
}

/**
 * Applies pending migrations, and creates a role that cannot bypass row level security if the login role can. Safe to
 * run at every start and in several processes at the same time. Takes no lock if nothing is pending.
 *
 * @throws OperatorError for a server, a schema or a role that this version cannot use
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigratedDatabase> {
  const { isEmbedded = false, isDistributing = false, log = () => undefined } = options;
  return await withLoginSession(url, async (client) => {
    await assertPrimary(client);
    const files = await readMigrationFiles();
    const state = await readSchemaState(client, files);
    assertCompatible(state);
    const distribution = await readDistribution(client);
    if (!isDistributing) assertWhole(distribution);
    const isDistributed = distribution !== undefined;
    const work = async () => {
      const isComplete = state.pending.length === 0 && !state.lacksRecords;
      const applied = isComplete ? [] : await applyMigrations(client, files, isDistributed);
      const role = await prepareSessions(client, url, isEmbedded, isDistributed);
      return { database: databaseOf(url, role, isEmbedded, isDistributed), applied, distribution };
    };
    return await reportLockWaits(client, url, log, work);
  });
}

/**
 * Prepares the database for commands that never migrate.
 *
 * @throws OperatorError in the same cases as `migrate`, and for pending migrations or a missing role
 */
export async function findMigrated(url: string, isEmbedded: boolean): Promise<MigratedDatabase> {
  return await withLoginSession(url, async (client) => {
    await assertPrimary(client);
    assertUpToDate(await readSchemaState(client, await readMigrationFiles()));
    const distribution = await readDistribution(client);
    assertWhole(distribution);
    const isDistributed = distribution !== undefined;
    const role = await readRoleState(client);
    if ((role.bypasses || isDistributed) && !(role.isReady && (role.canLogIn || !isEmbedded)))
      throw new OperatorError(
        `the role ${APP_ROLE} does not exist or lacks privileges; to create it, run: sluice migrate`,
      );
    return { database: databaseOf(url, role, isEmbedded, isDistributed), applied: [], distribution };
  });
}

/** Compares the database with the migrations of this version. Read-only, so it also works on a standby. */
export async function inspectSchema(url: string): Promise<InspectedSchema> {
  return await withLoginSession(url, async (client) => ({
    ...(await readSchemaState(client, await readMigrationFiles())),
    backfill: await readBackfillProgress(client),
    distribution: await readDistribution(client),
  }));
}

/** Runs the work in a session of the login role. Throws an OperatorError if the role lacks a privilege. */
export async function withLoginSession<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(url, { applicationName: 'sluice migrate' });
  try {
    await assertServerVersion(client);
    return await work(client);
  } catch (error) {
    throw asPrivilegeError(error) ?? error;
  } finally {
    await client.end();
  }
}

/** Creates the role of the service's sessions if it is missing; takes no lock if it exists. */
async function prepareSessions(
  client: pg.Client,
  url: string,
  isEmbedded: boolean,
  isDistributed: boolean,
): Promise<RoleState> {
  const role = await readRoleState(client);
  const needsRole = role.bypasses || isDistributed;
  const needsLogin = role.bypasses && isEmbedded && !role.canLogIn;
  if (needsRole && (!role.isReady || needsLogin))
    await underMigrationLock(client, async () => {
      await prepareRole(client);
      if (needsLogin) await enableLogin(client, url);
    });
  return role;
}

function databaseOf(
  url: string,
  { bypasses }: RoleState,
  isEmbedded: boolean,
  isDistributed: boolean,
): Database {
  // The owner of distributed tables is not subject to row level security (distribute.ts).
  if (isDistributed) return { url, role: APP_ROLE, isDistributed };
  if (!bypasses) return { url, role: undefined };
  return isEmbedded ? { url, role: undefined, sessionUrl: sessionUrl(url) } : { url, role: APP_ROLE };
}

/** Throws an OperatorError if the server is older than version 15. */
export async function assertServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; text: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  );
  const [version] = rows;
  if (version !== undefined && version.number < MIN_SERVER_VERSION)
    throw new OperatorError(`PostgreSQL ${version.text} is too old; Sluice requires version 15 or newer`);
}

/** Throws an OperatorError if the server is a standby. */
export async function assertPrimary(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
  if (rows[0]?.isStandby === true)
    throw new OperatorError(
      'the database is a read-only standby; set DATABASE_URL to its primary, or list all servers and add target_session_attrs=read-write',
    );
}

function asPrivilegeError(error: unknown): OperatorError | undefined {
  const cause = error instanceof OperatorError ? error.cause : error;
  if (!(cause instanceof pg.DatabaseError && cause.code === INSUFFICIENT_PRIVILEGE)) return undefined;
  const what = error instanceof Error ? error.message : cause.message;
  const remedy = /role/.test(cause.message)
    ? `as a superuser, run "create role ${APP_ROLE}" and grant it to the role in DATABASE_URL, or give DATABASE_URL an ordinary role that owns its database`
    : 'give DATABASE_URL an ordinary role that owns its database';
  return new OperatorError(`cannot prepare the database: ${what}; ${remedy}`, { cause });
}
