import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TenantService } from './service.ts';

const HOUR_MS = 3600 * 1000;

/** The garbage collection report that `sluice gc --json` prints. */
export type GcReport = Readonly<Record<GcCategory, GcCount>> & { readonly dry_run: boolean };

export type GcCategory =
  | 'idempotency_keys'
  | 'webhook_deliveries'
  | 'jobs'
  | 'files'
  | 'orphan_blobs'
  | 'unfinished_uploads';

interface GcCount {
  readonly count: number;
  readonly bytes?: number;
  readonly names?: readonly string[];
}

/** Returns the count of each category. */
export function countsOf(report: GcReport): Readonly<Record<GcCategory, number>> {
  const { idempotency_keys, webhook_deliveries, jobs, files, orphan_blobs, unfinished_uploads } = report;
  return {
    idempotency_keys: idempotency_keys.count,
    webhook_deliveries: webhook_deliveries.count,
    jobs: jobs.count,
    files: files.count,
    orphan_blobs: orphan_blobs.count,
    unfinished_uploads: unfinished_uploads.count,
  };
}

export const NOTHING: Readonly<Record<GcCategory, number>> = {
  idempotency_keys: 0,
  webhook_deliveries: 0,
  jobs: 0,
  files: 0,
  orphan_blobs: 0,
  unfinished_uploads: 0,
};

/** Makes all data of a job this many days older. */
export async function ageJob({ sql }: Pick<TenantService, 'sql'>, id: string, days: number): Promise<void> {
  const older = (column: string) =>
    // Without a time zone, because Citus supports only immutable functions of columns in updates.
    `${column} = (${column} at time zone 'UTC' - $2 * interval '1 day') at time zone 'UTC'`;
  await sql(
    `update ingestions set ${['completed_at', 'started_at', 'inserted_at'].map(older).join(', ')} where id = $1`,
    [id, days],
  );
  await sql(`update idempotency_keys set ${older('inserted_at')} where ingestion_id = $1`, [id, days]);
}

/** Makes a file this many hours older. */
export async function ageFile(file: string, hours: number): Promise<void> {
  const time = new Date(Date.now() - hours * HOUR_MS);
  await utimes(file, time, time);
}

/** Writes a blob without a job, this many hours old, into the folder of a day. Returns the path of the blob. */
export async function writeOrphan(
  { dataDir, tenantId }: Pick<TenantService, 'dataDir' | 'tenantId'>,
  hours: number,
  day: string,
): Promise<string> {
  const folder = path.join(dataDir, 'blobs', tenantId, day);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${randomUUID()}.ocsf.json.zst`);
  await writeFile(file, 'twelve bytes');
  await ageFile(file, hours);
  return file;
}

/** Returns all folders below the blob folder. */
export async function blobFolders(dataDir: string): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Returns the number of rows that belong to a job, including its own. */
export async function countRowsOf({ sql }: Pick<TenantService, 'sql'>, id: string): Promise<number> {
  const tables = [
    'frames',
    'ingestion_errors',
    'ingestion_error_counts',
    'ingestion_warnings',
    'ingestion_warning_counts',
    'scans',
    'idempotency_keys',
  ];
  const counts = tables.map((table) => `(select count(*)::int from ${table} where ingestion_id = $1)`);
  const [row] = await sql<{ count: number }>(
    `select ${counts.join(' + ')} + (select count(*)::int from ingestions where id = $1) as count`,
    [id],
  );
  if (row === undefined) throw new Error('the query returned no row');
  return row.count;
}
