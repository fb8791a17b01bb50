import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { arrayFile } from './array-file.ts';
import type { Client, Resource } from './client.ts';
import { record } from './records.ts';

/** The output of `sluice backup --json` and `sluice restore --json`. */
export interface BackupSummary {
  readonly folder: string;
  readonly created_at: string;
  readonly rows: number;
  readonly findings: number;
  readonly blobs: number;
  readonly missing_blobs: number;
  readonly bytes: number;
}

/** The fields of a backup manifest that tests use. */
export interface ManifestFile {
  readonly migrations: readonly string[];
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly file: string }[];
}

export async function readManifestFile(folder: string): Promise<ManifestFile> {
  return JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
}

/** An upload that returned 202, with its content. */
export interface Acknowledged {
  readonly id: string;
  readonly file: Uint8Array<ArrayBuffer>;
  readonly records: readonly Record<string, unknown>[];
}

let created = 0;

/** Uploads a file with unique findings. Throws if the file is not accepted. */
export async function uploadNew(client: Client, count: number): Promise<Acknowledged> {
  const name = `file-${++created}`;
  const records = Array.from({ length: count }, (_, at) =>
    record({ finding_info: { uid: `${name}-${at}` }, resources: [{ uid: name }] }),
  );
  const file = arrayFile(records).bytes;
  const { status, body } = await client.upload(file);
  if (status !== 202) throw new Error(`the response to the upload was ${status}`);
  return { id: body.data.id, file, records };
}

/**
 * Describes the parts of an upload that are missing from the API after its job has ended. Empty if the upload is
 * complete.
 */
export async function faultsOf(client: Client, { id, file, records }: Acknowledged): Promise<string[]> {
  const { attributes } = await client.ended(id);
  const faults: string[] = [];
  if (attributes.status !== 'completed' || attributes.summary.processed !== records.length)
    faults.push(`${id} is ${JSON.stringify(attributes)}`);
  if (!(await client.file(id)).bytes.equals(file)) faults.push(`the file of ${id} differs`);
  const findings = await client.get<Resource[]>(`/findings?filter[ingestion]=${id}&page[size]=1000`);
  if (findings.body.meta.pagination.count !== records.length)
    faults.push(`${findings.body.meta.pagination.count} findings of ${id} instead of ${records.length}`);
  const [finding] = findings.body.data;
  const { body } = await client.get<Resource>(`/findings/${finding?.id}`);
  const sentRecord = records.find((one) => JSON.stringify(one).includes(`"${finding?.attributes.uid}"`));
  if (sentRecord === undefined || JSON.stringify(body.data.attributes.raw) !== JSON.stringify(sentRecord))
    faults.push(`the record of a finding in ${id} differs`);
  return faults;
}

/** Whether Sluice has started to use a database. */
export async function hasSchema(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(`select from pg_namespace where nspname = 'sluice'`)).rowCount === 1;
  } finally {
    await client.end();
  }
}

/** Returns all rows of all tables that a restore recreates, as text in a stable order, as seen by a superuser. */
export async function allRows(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=sluice -c timezone=UTC' });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'sluice'::regnamespace and relkind = 'r' and relname <> 'blob_store' order by 1`,
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${name} t order by 1`,
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  } finally {
    await client.end();
  }
}
