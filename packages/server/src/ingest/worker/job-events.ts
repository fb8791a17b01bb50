import type { Queryable } from '../../db/transaction.ts';
import { recordIngestionEnd } from '../../webhooks/ingestion-events.ts';
import { recordScanChanges } from '../changes/scan-events.ts';
import type { ClaimedFrame } from './claim.ts';

/** Records the events of a job, in the transaction that ends it. `publicUrl` is the base URL for links, if it is known. */
export async function recordJobEnd(
  client: Queryable,
  claim: ClaimedFrame,
  publicUrl: string | undefined,
): Promise<void> {
  await recordIngestionEnd(client, claim, publicUrl);
  await recordScanChanges(client, claim, publicUrl);
}
