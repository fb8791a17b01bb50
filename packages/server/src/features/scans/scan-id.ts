import { derivedId } from '../../derived-id.ts';

/** The id of a scan: one per upload, provider and scan id in the records (which may name none). */
export function scanId(ingestionId: string, providerId: string, scanUid: string | null): string {
  return derivedId(ingestionId, providerId, scanUid ?? '');
}
