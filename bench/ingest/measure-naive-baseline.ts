import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Service } from '../../packages/server/test/support/service.ts';
import { urlOf } from '../baselines/run-baseline.ts';
import type { BenchFile } from '../generate-file.ts';
import type { Scans } from '../generate-scans.ts';
import { postFile } from '../post-file.ts';
import { startChild } from '../process/child.ts';
import { measure } from '../process/measure.ts';
import type { IngestCosts } from './measure-ingestion.ts';

const SCRIPT = fileURLToPath(new URL('../naive-baseline/server.ts', import.meta.url));
const DATABASE = 'naive_baseline';

/** Measures baseline (e), the naive service, with the same files and a separate database in the same PostgreSQL. */
export async function measureNaiveBaseline(
  service: Service,
  { fresh, repeated }: Scans,
): Promise<IngestCosts> {
  await service.sql(`create database ${DATABASE}`);
  const database = await urlOf(service, DATABASE);
  const naive = await startChild(SCRIPT, { DATABASE_URL: database });
  try {
    const url = String(naive.readyMessage);
    const ingest = async (file: BenchFile) =>
      await measure([naive.pid], service, file.path, async () => {
        // The naive baseline responds when all records are inserted.
        await postFile({ url, key: 'none' }, file.path);
      });
    const costs = { fresh: await ingest(fresh), repeated: await ingest(repeated) };
    await assertFindingCount(database, fresh.records);
    return costs;
  } finally {
    await naive.stop();
    await service.sql(`drop database ${DATABASE}`);
  }
}

async function assertFindingCount(connectionString: string, expected: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>('select count(*)::int from findings');
    if (rows[0]?.count !== expected)
      throw new Error(`The naive baseline stored ${rows[0]?.count} of ${expected} findings`);
  } finally {
    await client.end();
  }
}
