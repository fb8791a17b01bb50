import type { Queryable } from './transaction.ts';

/**
 * For the rest of the transaction, PostgreSQL reads many rows in their physical order. With outdated statistics, it
 * would read all rows of a tenant one by one through an index that begins with the tenant. Bitmap scans are not
 * affected.
 */
export async function avoidIndexScans(client: Queryable): Promise<void> {
  await client.query(`select set_config('enable_indexscan', 'off', true)`);
}

/** Like `avoidIndexScans`, but only until the work is done. */
export async function withoutIndexScans<Result>(
  client: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  return await withSettings(client, { enable_indexscan: 'off' }, work);
}

/**
 * Until the work is done, PostgreSQL reads tables through indexes. For statements that an index covers: with outdated
 * statistics, it might read the whole table instead.
 */
export async function withForcedIndexScans<Result>(
  client: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  const settings = { enable_indexscan: 'on', enable_seqscan: 'off', enable_bitmapscan: 'off' };
  return await withSettings(client, settings, work);
}

/**
 * Until the work is done, PostgreSQL joins with hash tables. With outdated statistics, it might compare each row with
 * all rows of the other side.
 */
export async function withHashJoins<Result>(client: Queryable, work: () => Promise<Result>): Promise<Result> {
  return await withSettings(client, { enable_nestloop: 'off', enable_mergejoin: 'off' }, work);
}

async function withSettings<Result>(
  client: Queryable,
  settings: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const set = async (names: readonly string[], values: readonly string[]) =>
    await client.query<{ before: string }>(
      `select before, set_config(name, value, true) from (
         select name, value, current_setting(name) as before
         from unnest($1::text[], $2::text[]) as changed (name, value) offset 0) as setting`,
      [names, values],
    );
  const names = Object.keys(settings);
  const { rows } = await set(names, Object.values(settings));
  // After an error, the transaction is rolled back.
  const result = await work();
  await set(
    names,
    rows.map(({ before }) => before),
  );
  return result;
}
