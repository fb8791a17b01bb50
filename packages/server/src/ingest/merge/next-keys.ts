import type { Queryable } from '../../db/transaction.ts';

/**
 * Reserves keys for new rows of a distributed table. They come from the sequence of the coordinator: those of the nodes
 * start at 2^48, which exceeds the keys that totals can hold.
 */
export async function nextKeys(
  client: Queryable,
  table: 'checks' | 'finding_facets' | 'resources',
  count: number,
): Promise<readonly number[]> {
  const { rows } = await client.query<{ key: number }>(
    `select nextval('${table}_key_seq')::float8 as key from generate_series(1, $1::integer)`,
    [count],
  );
  return rows.map(({ key }) => key);
}
