import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { AuditEvent } from '../../auth/record-audit-event.ts';
import { DatabaseUnavailable } from '../../db/database-errors.ts';
import { isDistributed } from '../../db/distribution.ts';
import { FRAMES_CHANNEL } from '../../db/notifications.ts';
import type { Queryable } from '../../db/transaction.ts';
import { type ManualCoverage, publishManual } from '../../ingest/merge/coverage-scopes.ts';
import { lockCoverage } from '../../ingest/merge/resolve-findings.ts';
import {
  MANUAL_NUMBER,
  queueFrames,
  releaseReserved,
  removeReserved,
  reserveFrames,
} from '../../ingest/worker/frame-queue.ts';
import { PROVIDERS } from '../../resources/providers.ts';
import type { ProviderProduct } from './products.ts';

/**
 * Runs the transaction of `resolve`, which calls `resolveProduct` with this id. On a distributed database, the work is
 * queued first (`frame-queue.ts`).
 */
export async function withReservedWork<Result>(
  pool: pg.Pool,
  tenantId: string,
  resolve: (id: string) => Promise<Result>,
): Promise<Result> {
  const id = uuidv7();
  if (!isDistributed(pool)) return await resolve(id);
  const work = workOf(tenantId, id);
  await reserveFrames(pool, work);
  try {
    return await resolve(id);
  } catch (error) {
    // After the loss of the connection, the transaction may have been committed.
    if (!(error instanceof DatabaseUnavailable)) await removeReserved(pool, work);
    throw error;
  }
}

/**
 * Resolves the open findings of a product: from the commit on, frames resolve late records, and workers resolve all
 * others. A newer record opens a finding again. Returns the time at which they are resolved, or `undefined` if the
 * provider is not live.
 */
export async function resolveProduct(
  client: Queryable,
  tenantId: string,
  coverage: Omit<ManualCoverage, 'time'>,
): Promise<Date | undefined> {
  const time = new Date();
  await lockCoverage(client, tenantId);
  if (!(await publishManual(client, tenantId, { ...coverage, time }))) return undefined;
  const work = workOf(tenantId, coverage.id);
  if (isDistributed(client)) await releaseReserved(client, work);
  else await queueFrames(client, work);
  await client.query(`notify ${FRAMES_CHANNEL}`);
  return time;
}

function workOf(tenantId: string, id: string) {
  return { tenantId, ingestionId: id, numbers: [MANUAL_NUMBER], isDryRun: false };
}

/** The audit event of a resolution. */
export function resolutionEvent(providerId: string, { name, findings }: ProviderProduct): AuditEvent {
  return {
    action: 'provider.findings_resolved',
    targetType: PROVIDERS,
    targetId: providerId,
    changes: { product: name, findings: findings.total },
  };
}
