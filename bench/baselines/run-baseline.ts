import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findRunningPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import type { BenchFile } from '../generate-file.ts';
import { type Cost, measureWithPostgres, type ProcessCost } from '../process/measure.ts';

/** The baselines that are scripts in this folder. */
export type BaselineName = 'parse-whole-file' | 'parse-records' | 'copy-raw-records' | 'copy-finished-rows';

/** Runs a baseline on a file in a separate process. Some baselines use the service's PostgreSQL. */
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
    const report: { records: number; cost: ProcessCost } = JSON.parse(stdout);
    if (report.records !== records)
      throw new Error(`${name} processed ${report.records} of ${records} records`);
    return report.cost;
  });
}

/** Returns the owner's connection URL for the service's database, or for another database in the same PostgreSQL. */
export async function urlOf({ dataDir }: Service, database?: string): Promise<string> {
  const running = await findRunningPostgres({ dataDir });
  if (running === undefined) throw new Error("The service's PostgreSQL is not running");
  const url = new URL(running.url);
  if (database !== undefined) url.pathname = database;
  return url.href;
}
