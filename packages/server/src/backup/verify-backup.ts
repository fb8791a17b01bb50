import path from 'node:path';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import { StoredFileError } from '../ingest/frames/stored-frame.ts';
import { codeOf, OperatorError } from '../lib/errors.ts';
import { forEachConcurrently, hashBlob, readBlobList } from './backup-blobs.ts';
import { blobsIn, hashFile } from './backup-folder.ts';
import type { Report } from './create-backup.ts';
import type { BackupFile, Manifest } from './manifest.ts';

/** Verifies every file of a backup against the manifest. Throws an OperatorError that names the first damaged file. */
export async function verifyBackup(
  folder: string,
  { tables, blobs }: Manifest,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  for (const file of [...tables, blobs]) {
    report(`verifying ${file.file}`);
    await verifyFile(folder, file, signal);
  }
  const store = new FileBlobStore(blobsIn(folder));
  let [count, totalBytes, missing] = [0, 0, 0];
  await forEachConcurrently(readBlobList(path.join(folder, blobs.file)), async (blob) => {
    if ('missing' in blob) {
      missing++;
      return;
    }
    const file = path.join(blobsIn(folder), blob.key);
    const sha256 = await hashBlob(store, blob, signal).catch((error: unknown) => {
      if (!(error instanceof StoredFileError)) throw error;
      throw incomplete(file);
    });
    if (sha256 !== blob.sha256) throw damaged(file);
    count++;
    totalBytes += blob.bytes;
    report(`verifying blobs: ${count} of ${blobs.count}`);
  });
  if (count !== blobs.count || totalBytes !== blobs.total_bytes || missing !== blobs.missing)
    throw damaged(path.join(folder, blobs.file));
}

async function verifyFile(folder: string, expected: BackupFile, signal: AbortSignal): Promise<void> {
  const file = path.join(folder, expected.file);
  const found = await hashFile(file, signal).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw incomplete(file);
  });
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) throw damaged(file);
}

function damaged(file: string): OperatorError {
  return new OperatorError(
    `the backup is damaged: ${file} does not match its checksum; nothing was restored, so use another backup`,
  );
}

function incomplete(file: string): OperatorError {
  return new OperatorError(
    `the backup is incomplete: ${file} is missing or too short; nothing was restored, so use another backup`,
  );
}
