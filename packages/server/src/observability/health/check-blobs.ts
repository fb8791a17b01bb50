import { BLOB_STORE_MARKER, type BlobStore } from '../../blobs/blob-store.ts';
import { cached, type HealthCheck, NotReady } from './health.ts';

/** Cached, because several probes may call the check frequently, and not every call should cause a request to S3. */
const BLOBS_CACHE_MS = 5000;

/** Checks that the blob store can be read. */
export function checkBlobs(blobs: BlobStore): HealthCheck {
  return cached(async () => {
    try {
      await blobs.read(BLOB_STORE_MARKER, 0, 1);
    } catch (error) {
      throw new NotReady('the blob store cannot be used', { cause: error });
    }
  }, BLOBS_CACHE_MS);
}
