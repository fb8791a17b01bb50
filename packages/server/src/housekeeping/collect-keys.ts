import { inTransaction } from '../db/transaction.ts';
import { type House, transactionMode } from './house.ts';
import type { Tally } from './report.ts';

const BATCH = 1000;

/** Collects a tenant's idempotency keys from before this time; a request with one of them makes a new job. */
export async function collectIdempotencyKeys(
  house: House,
  tenantId: string,
  before: Date,
  tally: Tally,
): Promise<void> {
  const { client, dryRun, signal } = house;
  const old = 'select key from idempotency_keys where tenant_id = $1 and inserted_at < $2';
  const statement = dryRun
    ? old
    : `delete from idempotency_keys where tenant_id = $1 and key in (${old} limit ${BATCH}) returning key`;
  let collected: number;
  do {
    signal?.throwIfAborted();
    const { rows } = await inTransaction(
      client,
      tenantId,
      () => client.query<{ key: string }>(statement, [tenantId, before]),
      transactionMode(house),
    );
    for (const { key } of rows) tally.add(`${tenantId}/${key}`);
    collected = rows.length;
  } while (!dryRun && collected === BATCH);
}
