import { derivedId } from '../../derived-id.ts';

/** Derives the id of a scan from the upload, the provider, and the scan id in the records (null if they have none). */
export function scanId(ingestionId: string, providerId: string, scanUid: string | null): string {
  return derivedId(ingestionId, providerId, scanUid ?? '');
}
