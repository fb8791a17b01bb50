import path from 'node:path';
import type pg from 'pg';
import { BLOB_STORE_MARKER, type BlobStore, readBlobKey } from '../blobs/blob-store.ts';
import { bindStore } from '../blobs/blob-store-marker.ts';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import { createSchema } from '../db/apply-migrations.ts';
import { assertPrimary, assertServerVersion } from '../db/migrate.ts';
import { assertCompatible, migrationNames, readMigrationFiles, readSchemaState } from '../db/schema-state.ts';
import { OperatorError } from '../lib/errors.ts';
import { type BlobEntry, copyBlob, forEachConcurrently, readBlobList } from './backup-blobs.ts';
import { blobsIn } from './backup-folder.ts';
import type { BackupContext } from './create-backup.ts';
import { forcedTables, loadTables } from './load-tables.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { restoreLayout } from './restore-layout.ts';
import { assertEmptyBlobStore, assertEmptyDatabase } from './restore-target.ts';
import { verifyBackup } from './verify-backup.ts';

const KEYS_PER_QUERY = 500;

/** Reads and verifies a backup before anything else is opened. Throws an OperatorError if it cannot be restored. */
export async function openBackup(
  folder: string,
  { report, signal }: Pick<BackupContext, 'report' | 'signal'>,
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const known = new Set(await migrationNames());
  const unknown = manifest.migrations.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new OperatorError(
      `the backup contains the unknown migration ${unknown}; restore it with the version of Sluice that created it, or a newer one`,
    );
  await verifyBackup(folder, manifest, report, signal);
  return manifest;
}

/**
 * Restores a verified backup into an empty database and an empty blob store. The database is restored in one
 * transaction, which is committed after all blobs are stored. On failure, removes the blobs that it wrote.
 */
export async function restoreBackup(
  folder: string,
  manifest: Manifest,
  context: BackupContext,
): Promise<void> {
  const { client, blobs, report, signal } = context;
  await assertServerVersion(client);
  await assertPrimary(client);
  await assertEmptyDatabase(client);
  await blobs.prepare();
  await assertEmptyBlobStore(blobs);
  const files = await readMigrationFiles();
  await client.query('begin isolation level read committed, read write');
  report('creating the schema');
  const names = new Set(manifest.migrations);
  await createSchema(
    client,
    files.filter(({ name }) => names.has(name)),
  );
  const isolated = await forcedTables(client);
  await loadTables(client, folder, manifest.tables, report, signal);
  await restoreLayout(client);
  // The schema was created from the migrations of this version, but the backup contains the checksums of the version
  // that created it.
  assertCompatible(await readSchemaState(client, files));
  await assertReferences(client, folder, manifest);
  await using written = new AsyncDisposableStack();
  // The restored database gets a new identity, so it cannot use the blob store of the original.
  await bindStore(client, blobs);
  written.defer(() => removeBlobs(blobs));
  await writeBlobs(folder, manifest, context);
  await assertStored(blobs, manifest);
  for (const table of isolated) await client.query(`alter table ${table} force row level security`);
  signal.throwIfAborted();
  // If the connection breaks, the outcome of the commit is unknown, so the blobs are kept. An operator can remove them.
  written.move();
  await commit(client);
}

async function writeBlobs(
  folder: string,
  { blobs: { file, count } }: Manifest,
  { blobs, report, signal }: BackupContext,
): Promise<void> {
  const source = new FileBlobStore(blobsIn(folder));
  let stored = 0;
  await forEachConcurrently(readBlobList(path.join(folder, file)), async (blob) => {
    if ('missing' in blob) return;
    const sha256 = await copyBlob(source, blobs, blob, signal);
    if (sha256 !== blob.sha256)
      throw new OperatorError(`${blob.key} of the backup changed while it was read`);
    report(`restoring blobs: ${++stored} of ${count}`);
  });
}

/**
 * Asserts that every job whose file has not been removed has a blob in the backup, and that every blob has such a job.
 */
async function assertReferences(client: pg.Client, folder: string, { blobs }: Manifest): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::float8 as count from ingestions where blob_removed_at is null',
  );
  const expected = blobs.count + blobs.missing;
  let found = 0;
  let batch: BlobEntry[] = [];
  const countJobs = async () => {
    const jobs = batch.map(({ key }) => readBlobKey(key));
    const { rowCount } = await client.query(
      `select from ingestions i join unnest($1::uuid[], $2::uuid[]) as b (tenant_id, id) using (tenant_id, id)
       where i.blob_removed_at is null`,
      [jobs.map((job) => job?.tenantId), jobs.map((job) => job?.ingestionId)],
    );
    found += rowCount ?? 0;
    batch = [];
  };
  for await (const blob of readBlobList(path.join(folder, blobs.file))) {
    batch.push(blob);
    if (batch.length === KEYS_PER_QUERY) await countJobs();
  }
  await countJobs();
  if (rows[0]?.count !== expected || found !== expected)
    throw new Error(
      `the restored jobs refer to ${rows[0]?.count} blobs; the backup lists ${expected} blobs, and ${found} of these belong to a job`,
    );
}

/** Asserts that the store contains exactly the blobs of the backup, with the same total size. */
async function assertStored(blobs: BlobStore, { blobs: { count, total_bytes } }: Manifest): Promise<void> {
  let [found, bytes] = [0, 0];
  for await (const blob of blobs.list()) {
    if (blob.key === BLOB_STORE_MARKER) continue;
    found++;
    bytes += blob.bytes;
  }
  if (found !== count || bytes !== total_bytes)
    throw new OperatorError(
      `the blob store contains ${found} blobs (${bytes} bytes) after the restore, but the backup contains ${count} (${total_bytes} bytes); restore into a blob store that no other process writes to`,
    );
}

async function removeBlobs(blobs: BlobStore): Promise<void> {
  for await (const { key } of blobs.list()) if (key !== BLOB_STORE_MARKER) await blobs.delete(key);
  await blobs.delete(BLOB_STORE_MARKER);
}

async function commit(client: pg.Client): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    throw new OperatorError(
      'the database connection was lost while committing the restore; if the schema "sluice" does not exist, empty the blob store and restore again',
      { cause: error },
    );
  }
}
