import type { Queryable } from './transaction.ts';

/**
 * For the rest of the transaction, PostgreSQL reads many rows in their physical order. With outdated statistics, it would
 * read all rows of a tenant one by one through an index that begins with the tenant. Bitmap scans are not affected.
 */
export async function avoidIndexScans(client: Queryable): Promise<void> {
  await client.query(`select set_config('enable_indexscan', 'off', true)`);
}

/** Like `avoidIndexScans`, but only until the work is done. */
export async function withoutIndexScans<Result>(
  client: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<{ before: string }>(
    `select before, set_config('enable_indexscan', 'off', true)
     from (select current_setting('enable_indexscan') as before offset 0) as setting`,
  );
  // After an error, the transaction is rolled back.
  const result = await work();
  await client.query(`select set_config('enable_indexscan', $1, true)`, [rows[0]?.before ?? 'on']);
  return result;
}
