import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { RecordSplitter } from '../packages/ocsf/src/index.ts';
import { findRunningPostgres } from '../packages/server/src/db/embedded/embedded-postgres.ts';
import type { Service } from '../packages/server/test/support/service.ts';

export interface Yardstick {
  readonly records: number;
  readonly seconds: number;
  readonly peakMiB: number | undefined;
}

/** `JSON.parse` of the whole file, in a process of its own. */
export async function parseWholeFile(file: string): Promise<Yardstick> {
  const script = fileURLToPath(new URL('./parse-whole-file.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=16000',
    script,
    file,
  ]);
  return JSON.parse(stdout);
}

/**
 * COPY of the raw records, one per row as they stand in the file, into a bare `jsonb` table without an index, on
 * the service's own PostgreSQL. Splitting the file and escaping the rows is done before the clock starts.
 */
export async function copyRawRecords(service: Service, file: string): Promise<Yardstick> {
  const rows = rawRecords(readFileSync(file));
  const batches = Array.from({ length: Math.ceil(rows.length / 1000) }, (_, at) =>
    Buffer.from(`${rows.slice(at * 1000, (at + 1) * 1000).join('\n')}\n`),
  );
  const running = await findRunningPostgres({ dataDir: service.dataDir });
  const client = new pg.Client({ connectionString: running?.url });
  await client.connect();
  try {
    await client.query('create table raw_records (record jsonb)');
    const start = performance.now();
    await pipeline(Readable.from(batches), client.query(copyFrom('copy raw_records from stdin')));
    const seconds = (performance.now() - start) / 1000;
    await client.query('drop table raw_records');
    return { records: rows.length, seconds, peakMiB: undefined };
  } finally {
    await client.end();
  }
}

function rawRecords(file: Buffer): string[] {
  const rows: string[] = [];
  const splitter = new RecordSplitter(
    { maxRecordBytes: 2 ** 22, maxDepth: 100, maxKeys: 50_000 },
    ({ start, end }) =>
      rows.push(file.toString('utf8', start, end).replaceAll('\\', '\\\\').replaceAll('\n', '\\n')),
  );
  splitter.push(file);
  splitter.end();
  return rows;
}
