import type { BlobStore } from './blob-store.ts';
import type { BlobStoreSettings } from './blob-store-settings.ts';
import { FileBlobStore } from './file-blob-store.ts';
import { type BlobReport, InstrumentedBlobStore } from './instrumented-blob-store.ts';

/** The blob store that `SLUICE_BLOB_STORE` names; `onReport` is called after each operation on it. */
export async function openBlobStore(
  settings: BlobStoreSettings,
  onReport?: (report: BlobReport) => void,
): Promise<BlobStore> {
  const store = await openUnwatched(settings);
  return onReport === undefined ? store : new InstrumentedBlobStore(store, onReport);
}

async function openUnwatched(settings: BlobStoreSettings): Promise<BlobStore> {
  if (settings.type === 'file') return new FileBlobStore(settings.folder);
  // Loaded here: where blobs are files, no thread has to carry the AWS SDK.
  const { S3BlobStore } = await import('./s3-blob-store.ts');
  return new S3BlobStore(settings);
}
