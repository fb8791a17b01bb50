import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { codeOf, messageOf, OperatorError } from '../lib/errors.ts';
import { MIGRATION_LOCK } from './advisory-locks.ts';
import { CONNECTION_CHECK_MS, SCHEMA } from './connect.ts';
import { DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE } from './database-errors.ts';
import { assertCompatible, findTable, type MigrationFile, readSchemaState } from './schema-state.ts';
import { rollback } from './transaction.ts';

/** A transaction of a migration. */
interface Step {
  readonly name: string;
  /** Whether the migration is applied and recorded. */
  readonly isComplete: boolean;
}

/**
 * All reads of a table wait behind a migration that waits for a lock on it. The first time limit is longer than most
 * transactions. It doubles with each attempt, because uploads can hold locks for longer, but stays far below the time
 * limit of reads, which is 20 seconds by default.
 */
const FIRST_LOCK_TIMEOUT_MS = 2000;
const MAX_LOCK_TIMEOUT_MS = 8000;
/** Citus refuses to replace functions after parallel statements in a transaction, and triggers without this setting. */
const DISTRIBUTED_SETTINGS = `set local citus.multi_shard_modify_mode to 'sequential';
  set local citus.enable_unsafe_triggers to on`;

/**
 * Applies pending migrations, each in one or more transactions of its own. Resolves with the names of the migrations
 * that this call applied.
 */
export async function applyMigrations(
  client: pg.Client,
  files: readonly MigrationFile[],
  isDistributed: boolean,
): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const step = await applyWhenUnlocked(client, files, isDistributed);
    if (step === undefined) return applied;
    if (step.isComplete) applied.push(step.name);
  }
}

/**
 * Repeats a migration that other sessions prevented from locking its tables, for as long as they do. Processes of the
 * previous release lock the same tables in various orders. PostgreSQL ends one of two sessions that wait for each
 * other.
 */
async function applyWhenUnlocked(
  client: pg.Client,
  files: readonly MigrationFile[],
  isDistributed: boolean,
): Promise<Step | undefined> {
  let timeoutMs = FIRST_LOCK_TIMEOUT_MS;
  for (;;)
    try {
      return await underMigrationLock(client, async () => {
        await client.query(`set local lock_timeout = ${timeoutMs}`);
        if (isDistributed) await client.query(DISTRIBUTED_SETTINGS);
        return await applyNext(client, files);
      });
    } catch (error) {
      const code = codeOf(error instanceof OperatorError ? error.cause : error);
      if (code !== DEADLOCK_DETECTED && code !== LOCK_NOT_AVAILABLE) throw error;
      // Longer than the wait, so that the sessions that waited for the migration continue, and new reads do not wait.
      await sleep(timeoutMs * (1 + Math.random()));
      timeoutMs = Math.min(2 * timeoutMs, MAX_LOCK_TIMEOUT_MS);
    }
}

/**
 * Creates the schema with these migrations, within the caller's open transaction. Does not record them:
 * `schema_migrations` stays empty. Other processes that apply migrations wait for the end of the transaction.
 */
export async function createSchema(client: pg.Client, files: readonly MigrationFile[]): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await ensureTable(client);
  for (const { sql } of files)
    do await client.query(sql);
    while (await isIncomplete(client));
}

/**
 * Runs the work in a transaction that holds the migration lock, with the schema as search path. The lock is released
 * when the transaction ends, so a pooler or a killed process cannot keep it.
 */
export async function underMigrationLock<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result> {
  // Read committed, because statements must not use a snapshot from before the lock was granted.
  await client.query('begin isolation level read committed, read write');
  try {
    // The work, and the wait for the migration lock, may exceed the time limits of ordinary statements. If the process
    // is killed, the connection check releases the lock.
    await client.query(
      `set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
       set local client_connection_check_interval = ${CONNECTION_CHECK_MS}`,
    );
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`set local search_path to ${SCHEMA}`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await rollback(client, error);
    throw error;
  }
}

/** Reads the state again, because another process may have applied migrations since the caller read it. */
async function applyNext(client: pg.Client, files: readonly MigrationFile[]): Promise<Step | undefined> {
  const state = await readSchemaState(client, files);
  assertCompatible(state);
  const [next] = state.pending;
  if (next === undefined) {
    if (state.lacksRecords) await recordFiles(client, files);
    return undefined;
  }
  await ensureTable(client);
  try {
    await client.query(next.sql);
  } catch (error) {
    throw new OperatorError(`migration ${next.name} failed: ${messageOf(error)}`, { cause: error });
  }
  if (await isIncomplete(client)) return { name: next.name, isComplete: false };
  await client.query('insert into schema_migrations (name) values ($1)', [next.name]);
  await recordFiles(client, files);
  return { name: next.name, isComplete: true };
}

/** A migration can ask to be executed again in another transaction, so that each transaction locks few tables. */
async function isIncomplete(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isIncomplete: boolean }>(
    `select coalesce(current_setting('sluice.is_incomplete', true), '') = 'true' as "isIncomplete"`,
  );
  return rows[0]?.isIncomplete === true;
}

/** Creates the schema and the table `schema_migrations` if they are missing. */
async function ensureTable(client: pg.Client): Promise<void> {
  // Checked first, because even `if not exists` requires the CREATE privilege.
  const { hasSchema, hasTable } = await findTable(client);
  if (!hasSchema) await client.query(`create schema ${SCHEMA}`);
  if (!hasTable)
    await client.query(
      'create table schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
}

/** Records checksums and compatibility lines of the applied migrations, once the table has the columns. */
async function recordFiles(client: pg.Client, files: readonly MigrationFile[]): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'oldest_line'`,
  );
  if (rowCount === 0) return;
  await client.query(
    `update schema_migrations m set checksum = f.checksum, oldest_line = f.oldest_line
     from unnest($1::text[], $2::text[], $3::int[]) as f (name, checksum, oldest_line)
     where f.name = m.name and (m.checksum is null or m.oldest_line is null)`,
    [
      files.map(({ name }) => name),
      files.map(({ checksum }) => checksum),
      files.map(({ oldestLine }) => oldestLine),
    ],
  );
}
