import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { BLOB_STORE_MARKER, type BlobStore, blobKey } from '../blobs/blob-store.ts';
import { assertBoundStore } from '../blobs/blob-store-marker.ts';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import { GARBAGE_COLLECTION_LOCK, tryAdvisoryLock } from '../db/advisory-locks.ts';
import { StoredFileError } from '../ingest/frames/stored-frame.ts';
import { OperatorError } from '../lib/errors.ts';
import { type BlobToCopy, copyBlob, forEachConcurrently, readReferences } from './backup-blobs.ts';
import {
  BackupFolder,
  BLOB_LIST_FILE,
  blobsIn,
  HashedLines,
  REFERENCES_FILE,
  writeHashed,
} from './backup-folder.ts';
import { type BackupTable, type Manifest, writeManifest } from './manifest.ts';
import { Snapshot, type SnapshotTable } from './snapshot.ts';

/** Reports the progress of a backup or restore. */
export type Report = (message: string) => void;

export interface BackupContext {
  /** A session of the login role; see `asOwner`. */
  readonly client: pg.Client;
  readonly blobs: BlobStore;
  readonly report: Report;
  readonly signal: AbortSignal;
}

const NEWLINE = 10;
const LOCK_POLL_MS = 200;

/**
 * Writes a backup of the database and its blobs into a folder, which must be new or empty. The service may be running.
 * Garbage collection waits until the backup ends, so no blob of the snapshot is removed. On failure, removes everything
 * that it wrote.
 */
export async function createBackup(folder: string, context: BackupContext): Promise<Manifest> {
  const { client, blobs, signal } = context;
  await blobs.assertUsable();
  await assertBoundStore(client, blobs);
  const backup = await BackupFolder.create(folder);
  try {
    await lockOutGarbageCollection(context);
    const manifest = await write(backup, context);
    await assertStillLocked(client);
    signal.throwIfAborted();
    await writeManifest(backup, manifest);
    return { version: 1, ...manifest };
  } catch (error) {
    await backup.discard();
    throw error;
  }
}

async function write(backup: BackupFolder, context: BackupContext): Promise<Omit<Manifest, 'version'>> {
  const snapshot = await Snapshot.begin(context.client);
  const createdAt = new Date().toISOString();
  const migrations = [...(await snapshot.migrations())];
  const tables: BackupTable[] = [];
  for (const table of await snapshot.tables())
    tables.push(await writeTable(backup, snapshot, table, context));
  const references = await writeReferences(backup, snapshot, context.signal);
  // Blobs never change and none is removed during a backup, so the transaction can end before they are copied.
  await snapshot.end();
  const blobs = await copyBlobs(backup, context, references);
  return { created_at: createdAt, migrations, tables, blobs };
}

async function writeTable(
  backup: BackupFolder,
  snapshot: Snapshot,
  table: SnapshotTable,
  { report, signal }: BackupContext,
): Promise<BackupTable> {
  const file = backup.tableFile(table.name);
  let lines = 0;
  let rows: number | undefined;
  const content = async function* () {
    const chunks = snapshot.rows(table);
    let next = await chunks.next();
    for (; next.done !== true; next = await chunks.next()) {
      // Each line is a row, because COPY's text format escapes line breaks inside values.
      for (let at = next.value.indexOf(NEWLINE); at !== -1; at = next.value.indexOf(NEWLINE, at + 1)) lines++;
      report(`${table.name}: ${lines} rows`);
      yield next.value;
    }
    rows = next.value;
  };
  const written = await writeHashed(backup.file(file), content(), [createZstdCompress()], signal);
  if (rows !== lines)
    throw new Error(`PostgreSQL sent ${rows} rows of ${table.name}, but ${lines} were written`);
  return { name: table.name, columns: [...table.columns], rows: lines, file, ...written };
}

/** Stores the list of blobs to copy in a file, because there may be millions. Resolves with the blob count. */
async function writeReferences(
  backup: BackupFolder,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  const content = async function* () {
    for await (const batch of snapshot.blobReferences()) {
      count += batch.length;
      const lines = batch.map(({ tenantId, ingestionId, requestedAt, bytes }) =>
        JSON.stringify({ key: blobKey(tenantId, ingestionId, requestedAt), bytes } satisfies BlobToCopy),
      );
      yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
    }
  };
  await writeHashed(backup.file(REFERENCES_FILE), content(), [], signal);
  return count;
}

async function copyBlobs(
  backup: BackupFolder,
  { blobs, report, signal }: BackupContext,
  references: number,
): Promise<Manifest['blobs']> {
  const target = new FileBlobStore(blobsIn(backup.path));
  // No database has this id, so the server refuses to start with the blobs of a backup.
  const marker = await target.create(BLOB_STORE_MARKER);
  await marker.append(Buffer.from(randomUUID()));
  await marker.commit();
  const list = await HashedLines.create(backup.file(BLOB_LIST_FILE));
  let [count, totalBytes, missing] = [0, 0, 0];
  try {
    await forEachConcurrently(readReferences(backup.file(REFERENCES_FILE)), async ({ key, bytes }) => {
      try {
        const sha256 = await copyBlob(blobs, target, { key, bytes }, signal);
        await list.add(JSON.stringify({ key, bytes, sha256 }));
        count++;
        totalBytes += bytes;
      } catch (error) {
        if (!(error instanceof StoredFileError)) throw error;
        await list.add(JSON.stringify({ key, missing: true }));
        missing++;
        process.stderr.write(`sluice: skipped a blob: ${error.message}\n`);
      }
      report(`${count} of ${references} blobs`);
    });
    if (count + missing !== references)
      throw new Error(`expected ${references} blobs, but copied ${count}, and ${missing} are missing`);
    const written = await list.end();
    await backup.remove(REFERENCES_FILE);
    return { file: BLOB_LIST_FILE, ...written, count, total_bytes: totalBytes, missing };
  } finally {
    await list.close();
  }
}

/** Waits for a running garbage collection to end. */
async function lockOutGarbageCollection({ client, report, signal }: BackupContext): Promise<void> {
  for (;;) {
    if (await tryAdvisoryLock(client, GARBAGE_COLLECTION_LOCK)) return;
    report('waiting for garbage collection to end');
    await sleep(LOCK_POLL_MS, undefined, { signal });
  }
}

/** A lost connection releases the lock, so garbage collection may have removed blobs before they were copied. */
async function assertStillLocked(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ released: boolean }>('select pg_advisory_unlock($1) as released', [
    GARBAGE_COLLECTION_LOCK,
  ]);
  if (rows[0]?.released !== true)
    throw new OperatorError(
      'the connection to the database was lost during the backup; run the backup again',
    );
}
