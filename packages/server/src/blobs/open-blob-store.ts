import type { BlobStoreSettings } from '../config/blob-store-settings.ts';
import type { BlobStore } from './blob-store.ts';
import { FileBlobStore } from './file-blob-store.ts';
import { type BlobReport, InstrumentedBlobStore } from './instrumented-blob-store.ts';

/** Opens the configured blob store. `onReport` is called after each operation. */
export async function openBlobStore(
  settings: BlobStoreSettings,
  onReport?: (report: BlobReport) => void,
): Promise<BlobStore> {
  const store = await open(settings);
  return onReport === undefined ? store : new InstrumentedBlobStore(store, onReport);
}

async function open(settings: BlobStoreSettings): Promise<BlobStore> {
  if (settings.type === 'file') return new FileBlobStore(settings.folder);
  // Imported on demand: every thread would load the AWS SDK, even if blobs are stored in a folder.
  const { S3BlobStore } = await import('./s3-blob-store.ts');
  return new S3BlobStore(settings);
}
