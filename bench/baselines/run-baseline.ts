import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import type { BenchFile } from '../generate-file.ts';
import { type Cost, measureWithPostgres, type ProcessCost } from '../process/measure.ts';

/** The yardsticks that are scripts of this folder. */
export type BaselineName = 'parse-whole-file' | 'parse-records' | 'copy-raw-records' | 'copy-finished-rows';

/** Runs a baseline on a file of so many records in a process of its own; some work on the service's PostgreSQL. */
export async function runBaseline(
  name: BaselineName,
  service: Service,
  { path, records }: Pick<BenchFile, 'path' | 'records'>,
): Promise<Cost> {
  const url = await urlOf(service);
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const args = ['--max-old-space-size=16000', script, path];
  return await measureWithPostgres(service, path, async () => {
    const env = { ...process.env, DATABASE_URL: url };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    const told: { records: number; cost: ProcessCost } = JSON.parse(stdout);
    if (told.records !== records)
      throw new Error(`${name} has handled ${told.records} of ${records} records`);
    return told.cost;
  });
}

/** The database of the service, or another one of its PostgreSQL, as its owner. */
export async function urlOf({ dataDir }: Service, database?: string): Promise<string> {
  const running = await findRunningPostgres({ dataDir });
  if (running === undefined) throw new Error('the PostgreSQL of the service does not run');
  const url = new URL(running.url);
  if (database !== undefined) url.pathname = database;
  return url.href;
}
