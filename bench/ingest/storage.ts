import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Service } from '../../packages/server/test/support/service.ts';

/** Disk space of findings with everything that they refer to, in bytes. */
export interface Storage {
  readonly blobs: number;
  readonly rows: number;
  readonly indexes: number;
}

const TABLES = [
  'findings',
  'resources',
  'finding_resources',
  'finding_facets',
  'finding_totals',
  'finding_total_changes',
  'failing_finding_changes',
  'checks',
];

/** Returns the disk space of a service with a file store. A checkpoint must have completed since the last change. */
export async function measureStorage({ dataDir, sql }: Service): Promise<Storage> {
  const [sizes] = await sql<{ rows: number; indexes: number }>(
    `select sum(pg_table_size(name::regclass))::float8 as rows, sum(pg_indexes_size(name::regclass))::float8 as indexes
     from unnest('{${TABLES.join(',')}}'::text[]) as tables (name)`,
  );
  if (sizes === undefined) throw new Error('PostgreSQL returned no row for an aggregate');
  return { blobs: await bytesOnDisk(path.join(dataDir, 'blobs')), ...sizes };
}

/** Returns the disk space of the bare `raw_records` table, in bytes. */
export async function measureRawStorage({ sql }: Service): Promise<number> {
  const [size] = await sql<{ bytes: number }>(
    `select pg_total_relation_size('raw_records')::float8 as bytes`,
  );
  if (size === undefined) throw new Error('The table raw_records does not exist');
  return size.bytes;
}

/** Allocated blocks, which can exceed the file sizes. */
async function bytesOnDisk(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).blocks * 512),
  );
  return sizes.reduce((sum, each) => sum + each, 0);
}
