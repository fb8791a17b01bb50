import type pg from 'pg';
import { type Config, readConfig } from '../config/config.ts';
import { createPool } from '../db/connect.ts';
import { openDatabase } from '../db/open-database.ts';
import { assertDatabaseExists } from './assert-database-exists.ts';
import { describeResult } from './describe-result.ts';

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

/** Changes or reads the service's data. Resolves with the result to print: an object or a list of objects. */
type Administer = (pool: pg.Pool, config: Config) => Promise<object>;

/** Runs an admin command and prints its result. */
export async function administer(
  context: CliContext,
  isJson: boolean | undefined,
  work: Administer,
): Promise<void> {
  const config = readConfig(context.env);
  printResult(context, isJson, await context.withPool(config, (pool) => work(pool, config)));
}

/** Prints one JSON value with `--json`, otherwise lines of text. */
export function printResult({ writeOut }: CliContext, isJson: boolean | undefined, result: object): void {
  writeOut(`${isJson === true ? JSON.stringify(result) : describeResult(result)}\n`);
}
