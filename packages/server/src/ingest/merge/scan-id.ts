import { derivedId } from '../../lib/derived-id.ts';

/**
 * Derives a scan's id from the upload, the provider, and the scan id in the records (null if the records have none).
 */
export function scanId(ingestionId: string, providerId: string, scanUid: string | null): string {
  return derivedId(ingestionId, providerId, scanUid ?? '');
}
