import type { Queryable } from './transaction.ts';

/**
 * For the rest of the transaction, PostgreSQL reads many rows in their physical order. With outdated statistics, it would
 * read all rows of a tenant one by one through an index that begins with the tenant. Bitmap scans are not affected.
 */
export async function avoidIndexScans(client: Queryable): Promise<void> {
  await client.query(`select set_config('enable_indexscan', 'off', true)`);
}
