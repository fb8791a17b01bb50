import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/**
 * The compatibility line of this code. Increment it in the release that stops using a part of the schema; a later
 * release may then remove that part (ARCHITECTURE.md, "Migrations").
 */
export const COMPATIBILITY_LINE = 1;

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/**
 * In a contract step, declares the oldest compatibility line that can use the schema. An expand step inherits it from
 * the previous file.
 */
const OLDEST_LINE = /^-- Oldest compatibility line: (\d+)$/m;

export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  /** Hexadecimal SHA-256 of the file's text with LF line endings. */
  readonly checksum: string;
  /** The oldest compatibility line of code that can use the schema from this migration on. */
  readonly oldestLine: number;
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
