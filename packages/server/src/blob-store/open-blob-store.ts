import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import { FileBlobStore } from './file-blob-store.ts';

/** The blob store that a `SLUICE_BLOB_STORE` URL names. */
export function openBlobStore(url: URL): BlobStore {
  return new FileBlobStore(fileURLToPath(url));
}
