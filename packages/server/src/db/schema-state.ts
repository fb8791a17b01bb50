import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { OperatorError } from '../lib/errors.ts';
import { SCHEMA } from './connect.ts';
import type { Queryable } from './transaction.ts';
import { utcTimestamp } from './utc-timestamp.ts';

/** A migration as recorded in the database. */
export interface AppliedMigration {
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly appliedAt: string;
  /** Hexadecimal SHA-256; `null` if applied by a release that did not record it. */
  readonly checksum: string | null;
  readonly oldestLine: number | null;
}

export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  /** Hexadecimal SHA-256 of the file's text with LF line endings. */
  readonly checksum: string;
  /** The oldest compatibility line of code that can use the schema from this migration on. */
  readonly oldestLine: number;
}

/** A database's migrations compared with this version's migrations. */
export interface SchemaState {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly MigrationFile[];
  /** Applied by another version; this version has no such file. */
  readonly unknown: readonly AppliedMigration[];
  /** Names of applied migrations whose files have changed since. */
  readonly changed: readonly string[];
  /** Whether the checksum or compatibility line of an applied migration is not recorded yet. */
  readonly lacksRecords: boolean;
}

/**
 * The compatibility line of this code. Increment it in the release that stops using a part of the schema; a later
 * release may then remove that part (ARCHITECTURE.md, "Migrations").
 */
const COMPATIBILITY_LINE = 1;

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/**
 * In a contract step, declares the oldest compatibility line that can use the schema. An expand step inherits it from
 * the previous file.
 */
const OLDEST_LINE = /^-- Oldest compatibility line: (\d+)$/m;

/** Reads the state without taking a lock or changing anything. */
export async function readSchemaState(
  client: Queryable,
  files: readonly MigrationFile[],
): Promise<SchemaState> {
  const rows = await readRows(client);
  const byName = new Map(files.map((file) => [file.name, file]));
  const applied = rows.filter(({ name }) => byName.has(name));
  const names = new Set(applied.map(({ name }) => name));
  return {
    applied,
    pending: files.filter(({ name }) => !names.has(name)),
    unknown: rows.filter(({ name }) => !byName.has(name)),
    changed: applied
      .filter(({ name, checksum }) => checksum !== null && checksum !== byName.get(name)?.checksum)
      .map(({ name }) => name),
    lacksRecords: applied.some(({ checksum, oldestLine }) => checksum === null || oldestLine === null),
  };
}

async function readRows(client: Queryable): Promise<readonly AppliedMigration[]> {
  const { hasTable } = await findTable(client);
  if (!hasTable) return [];
  // The table of an earlier release lacks these columns; `to_jsonb` then returns null.
  const { rows } = await client.query<AppliedMigration>(
    `select name, ${utcTimestamp('applied_at')} as "appliedAt", to_jsonb(m) ->> 'checksum' as checksum,
       (to_jsonb(m) ->> 'oldest_line')::int as "oldestLine"
     from ${SCHEMA}.schema_migrations m order by name collate "C"`,
  );
  return rows;
}

/**
 * Whether the schema and `schema_migrations` exist. Reads catalog rows, because `to_regclass` may return the state from
 * before a lock was granted.
 */
export async function findTable(client: Queryable): Promise<{ hasSchema: boolean; hasTable: boolean }> {
  const { rows } = await client.query<{ hasTable: boolean }>(
    `select exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'schema_migrations') as "hasTable"
     from pg_namespace n where n.nspname = '${SCHEMA}'`,
  );
  return { hasSchema: rows.length > 0, hasTable: rows[0]?.hasTable === true };
}

/**
 * Whether this version can use a schema with an unknown migration. A migration without a recorded compatibility line is
 * assumed to be incompatible.
 */
export function isCompatible({ oldestLine }: AppliedMigration): boolean {
  return oldestLine !== null && oldestLine <= COMPATIBILITY_LINE;
}

/** Throws an OperatorError for a schema that this version must neither use nor migrate. */
export function assertCompatible({ changed, unknown }: SchemaState): void {
  if (changed.length > 0)
    throw new OperatorError(
      `migrations changed after they were applied: ${changed.join(', ')}; install the release that applied them, or a newer one`,
    );
  const incompatible = unknown.filter((migration) => !isCompatible(migration)).map(({ name }) => name);
  if (incompatible.length > 0)
    throw new OperatorError(
      `the database schema is too new for this version because of these migrations: ${incompatible.join(', ')}; install the release that applied them, or a newer one`,
    );
}

/** Throws an OperatorError for a schema that this version cannot use without migrating it. */
export function assertUpToDate(state: SchemaState): void {
  assertCompatible(state);
  if (state.applied.length === 0)
    throw new OperatorError('the database has no schema yet; to create it, run: sluice migrate');
  if (state.pending.length > 0)
    throw new OperatorError(
      `the database schema is out of date: it lacks ${state.pending.map(({ name }) => name).join(', ')}; to apply pending migrations, run: sluice migrate`,
    );
}

/** This version's migrations, in the order in which they are applied. */
export async function readMigrationFiles(): Promise<readonly MigrationFile[]> {
  const files: MigrationFile[] = [];
  let oldestLine = 1;
  for (const name of await migrationNames()) {
    const sql = (await readFile(new URL(name, MIGRATIONS), 'utf8')).replaceAll('\r\n', '\n');
    const declared = OLDEST_LINE.exec(sql)?.[1];
    if (declared !== undefined) oldestLine = Number(declared);
    files.push({ name, sql, checksum: createHash('sha256').update(sql).digest('hex'), oldestLine });
  }
  return files;
}

/** The names of this version's migrations, in the order in which they are applied. */
export async function migrationNames(): Promise<readonly string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
}
