import type pg from 'pg';
import { type Config, readConfig } from '../config/config.ts';
import { createPool } from '../db/connect.ts';
import { openDatabase } from '../db/open-database.ts';
import { assertDatabaseExists } from './assert-database-exists.ts';

/** The environment and the output of a command. */
export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  /** Writes to stdout, which contains only results. */
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
  /** Runs work with connections to the service's database. */
  readonly withPool: WithPool;
}

type WithPool = <Result>(config: Config, work: (pool: pg.Pool) => Promise<Result>) => Promise<Result>;

/** Opens the service's database, whether or not the service is running, and closes it after the work. */
export const withServicePool: WithPool = async (config, work) => {
  await assertDatabaseExists(config);
  // Log messages are disabled, because only the result belongs on stdout.
  const opened = await openDatabase(config, () => undefined);
  const pool = createPool(opened.database, { applicationName: 'sluice admin', max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await opened.close();
  }
};

/** Runs an admin command and prints its result: an object or a list of objects. */
export async function administer(
  context: CliContext,
  isJson: boolean | undefined,
  work: (pool: pg.Pool, config: Config) => Promise<object>,
): Promise<void> {
  const config = readConfig(context.env);
  printResult(context, isJson, await context.withPool(config, (pool) => work(pool, config)));
}

/** Prints one JSON value with `--json`, otherwise lines of text. */
export function printResult({ writeOut }: CliContext, isJson: boolean | undefined, result: object): void {
  writeOut(`${isJson === true ? JSON.stringify(result) : describeResult(result)}\n`);
}

/** Formats a result of an admin command as lines of text: one per attribute, with an empty line between objects. */
function describeResult(result: object): string {
  if (!Array.isArray(result)) return lines(result);
  if (result.length === 0) return '(none)';
  return result.map((item: object) => lines(item)).join('\n\n');
}

function lines(item: object): string {
  const entries = Object.entries(item);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`).join('\n');
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '-');
  return Object.entries(value)
    .filter(([, member]) => !Array.isArray(member) || member.length > 0)
    .map(([name, member]) => `${name} ${text(member)}`)
    .join(', ');
}
