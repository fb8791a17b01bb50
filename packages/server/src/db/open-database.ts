import type { Config } from '../config.ts';
import { codeOf } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';
import { assertBound } from './assert-bound.ts';
import { openClient } from './connect.ts';
import { lockDataDirectory } from './data-directory-lock.ts';
import { type Migrated, migrate } from './migrate.ts';
import { openEmbedded } from './open-embedded.ts';

export interface OpenDatabase extends Migrated {
  /** Whether it is the one in the data directory. */
  readonly embedded: boolean;
  /** Stops the embedded server where nobody else uses it; does nothing to a database of somebody else's. */
  close(): Promise<void>;
}

/** Opens the database of the settings, the embedded one where there is none, with its schema up to date. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) {
    await assertReachable(databaseUrl);
    const migrated = await migrate(databaseUrl);
    await assertBound(migrated.database);
    return { ...migrated, embedded: false, close: async () => {} };
  }
  const server = await openEmbedded(dataDir, log);
  try {
    const migrated = await migrate(server.url, { isOurs: true });
    await assertBound(migrated.database);
    return { ...migrated, embedded: true, close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** As `openDatabase`, for a process that serves: an embedded one is its own, and no other's, until the close. */
export async function openServiceDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: (message: string) => void,
): Promise<OpenDatabase> {
  const opened = await openDatabase(config, log);
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

/** Throws an OperatorError that says why no connection can be opened. */
export async function assertReachable(url: string): Promise<void> {
  try {
    // It reads the certificates that the URL names.
    const client = await openClient({ connectionString: url, connectionTimeoutMillis: 10_000 });
    await client.end();
  } catch (error) {
    const { host, pathname } = new URL(url);
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error);
    throw new OperatorError(`cannot reach the database ${host}${pathname} of DATABASE_URL: ${reason}`, {
      cause: error,
    });
  }
}
