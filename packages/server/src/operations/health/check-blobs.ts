import { BLOB_STORE_MARKER, type BlobStore } from '../../blob-store/blob-store.ts';
import { type HealthCheck, NotReady, remembered } from './health.ts';

/** Probes come from several sides and often; a bucket need not hear of each. */
const REMEMBERED_MS = 5000;

/** The blob store is there and may be used. */
export function checkBlobs(blobs: BlobStore): HealthCheck {
  return remembered(async () => {
    try {
      await blobs.read(BLOB_STORE_MARKER, 0, 1);
    } catch (error) {
      throw new NotReady('the blob store cannot be used', { cause: error });
    }
  }, REMEMBERED_MS);
}
