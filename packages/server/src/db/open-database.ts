import type { Config } from '../config/config.ts';
import { describeTarget, parseConnectionString } from '../config/connection-string.ts';
import { codeOf, OperatorError } from '../lib/errors.ts';
import { assertOwnSession, assertRowLevelSecurity } from './assert-session.ts';
import { openClient } from './connect.ts';
import { type DistributeOptions, distribute } from './distribute.ts';
import { lockDataDirectory, openEmbedded } from './embedded/open-embedded.ts';
import {
  findMigrated,
  type InspectedSchema,
  inspectSchema,
  type MigratedDatabase,
  migrate,
} from './migrate.ts';

export interface OpenDatabase extends MigratedDatabase {
  /** Whether this is the embedded database. */
  readonly embedded: boolean;
  /** Stops the embedded server if no other process uses it; has no effect on other databases. */
  close(): Promise<void>;
}

/** Finds or creates the schema; `url` is the connection string of the login role. */
type Prepare = (url: string, isEmbedded: boolean) => Promise<MigratedDatabase>;

/** Opens the configured database, by default the embedded database. Throws an OperatorError for pending migrations. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  return await open(config, log, findMigrated);
}

/** Like `openDatabase`, but applies pending migrations. */
export async function openMigratedDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  return await open(config, log, (url, isEmbedded) => migrate(url, { isEmbedded, log }));
}

/** Like `openMigratedDatabase`, but also distributes the tables. */
export async function openDistributedDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: DistributeOptions,
): Promise<OpenDatabase> {
  return await open(config, options.log, (url) => distribute(url, options));
}

/**
 * Like `openMigratedDatabase`, but for `sluice serve`: locks an embedded database for this process until it is closed.
 */
export async function openServiceDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  const opened = await openMigratedDatabase(config, log);
  if (!opened.embedded) return opened;
  try {
    const lock = await lockDataDirectory(opened.database.url, config.dataDir);
    const close = async () => {
      await lock.end();
      await opened.close();
    };
    return { ...opened, close };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * Reads the state of the schema, and of findings that are being backfilled, without changing it. The database must
 * exist.
 */
export async function inspectDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<InspectedSchema> {
  if (databaseUrl !== undefined) {
    await assertReachable(databaseUrl);
    return await inspectSchema(databaseUrl);
  }
  const server = await openEmbedded(dataDir, () => undefined);
  try {
    return await inspectSchema(server.url);
  } finally {
    await server.close();
  }
}

async function open(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
  prepare: Prepare,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    await assertReachable(databaseUrl);
    const prepared = await prepare(databaseUrl, false);
    await assertRowLevelSecurity(prepared.database);
    return { ...prepared, embedded: false, close: async () => {} };
  }
  const server = await openEmbedded(dataDir, log);
  try {
    const prepared = await prepare(server.url, true);
    await assertRowLevelSecurity(prepared.database);
    return { ...prepared, embedded: true, close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * Asserts that the service can connect to this database and that each connection has its own session. Throws an
 * OperatorError if not.
 */
export async function assertReachable(url: string): Promise<void> {
  try {
    // Inside `try`, because it also reads the certificate files of the URL.
    const client = await openClient(url, { applicationName: 'sluice start' });
    try {
      await assertOwnSession(client, url);
    } finally {
      await client.end();
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error);
    throw new OperatorError(
      `cannot connect to the database ${describeTarget(parseConnectionString(url))} in DATABASE_URL: ${reason}`,
      { cause: error },
    );
  }
}
