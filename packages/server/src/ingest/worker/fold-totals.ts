import type { Logger } from 'pino';
import { inTransaction, type Queryable, TransactionLost } from '../../db/transaction.ts';
import { type FoldLimits, foldPendingTotals } from '../merge/finding-totals.ts';

/** Each fold writes the totals of most checks again, which takes as long as merging thousands of records. */
export const WHILE_BUSY: FoldLimits = { changes: 100_000, rows: 250 };
/** Every read of the counts adds pending changes. */
export const WHILE_IDLE: FoldLimits = { changes: 1000, rows: 25 };
/** Time without a frame after which a worker is idle. */
export const IDLE_MS = 1000;

/**
 * Changes count even before they are added to the totals, so a failure that leaves the connection usable is only
 * logged.
 */
export async function tryToFoldTotals(
  side: Queryable,
  tenantId: string,
  limits: FoldLimits,
  log: Logger,
): Promise<void> {
  try {
    await inTransaction(side, tenantId, () => foldPendingTotals(side, tenantId, limits), {
      isAsynchronous: true,
    });
  } catch (error) {
    if (error instanceof TransactionLost) throw error;
    log.warn({ err: error, tenantId }, 'finding totals could not be updated; a later frame will update them');
  }
}
