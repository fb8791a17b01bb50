import { inTransaction } from '../db/transaction.ts';
import { type GarbageCollection, transactionMode } from './garbage-collection.ts';
import type { Tally } from './report.ts';

const KEY_BATCH = 1000;

/**
 * Deletes a tenant's idempotency keys that are older than this time. A later request with a deleted key creates a new
 * job.
 */
export async function collectIdempotencyKeys(
  collection: GarbageCollection,
  tenantId: string,
  before: Date,
  tally: Tally,
): Promise<void> {
  const { client, dryRun, signal } = collection;
  const old = 'select key from idempotency_keys where tenant_id = $1 and inserted_at < $2 and key > $3';
  const statement = dryRun
    ? `${old} order by key limit ${KEY_BATCH}`
    : `delete from idempotency_keys where tenant_id = $1 and key in (${old} limit ${KEY_BATCH}) returning key`;
  // Keys are never empty, so all of them sort after ''. Only a dry run, which deletes nothing, has to advance.
  let after = '';
  let collected: number;
  do {
    signal?.throwIfAborted();
    const { rows } = await inTransaction(
      client,
      tenantId,
      () => client.query<{ key: string }>(statement, [tenantId, before, after]),
      transactionMode(collection),
    );
    for (const { key } of rows) tally.add(`${tenantId}/${key}`);
    if (dryRun) after = rows.at(-1)?.key ?? after;
    collected = rows.length;
  } while (collected === KEY_BATCH);
}
