import { UNIQUE_VIOLATION } from '../../db/database-errors.ts';
import { onlyRow } from '../../db/only-row.ts';
import type { Queryable } from '../../db/transaction.ts';
import { codeOf } from '../../lib/errors.ts';
import { hexOf } from './copy-writer.ts';

const SAMPLE_SIZE = 16;

/** Rows of a tenant to insert. The ids have one character per byte. */
interface NewRows<Result> {
  readonly table: 'findings' | 'resources';
  readonly ids: readonly string[];
  readonly insert: () => Promise<Result>;
}

/**
 * Inserts rows in the open transaction if none of a sample exists. They are then probably all new, and inserting them
 * without looking up each one first is faster. Returns `undefined`, and changes nothing, if a row already exists.
 */
export async function insertIfAllNew<Result>(
  client: Queryable,
  tenantId: string,
  { table, ids, insert }: NewRows<Result>,
): Promise<Result | undefined> {
  // Not a condition of the insert: a cluster would send all rows to the node, even if none of them is inserted.
  const { exists } = onlyRow(
    await client.query<{ exists: boolean }>(
      // Looks up each row (see `UPDATE` in create-resources.ts).
      `select exists (select from unnest((select $2::uuid[])) as w (id)
         cross join lateral (select from ${table} where tenant_id = $1 and id = w.id offset 0) as known) as exists`,
      [tenantId, sampleOf(ids)],
    ),
  );
  if (exists) return undefined;
  await client.query('savepoint inserting');
  try {
    return await insert();
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint inserting');
    return undefined;
  }
}

/** A sample of ids, in hexadecimal, spread evenly. */
function sampleOf(ids: readonly string[]): readonly string[] {
  const step = Math.ceil(ids.length / SAMPLE_SIZE);
  return ids.filter((_, at) => at % step === 0).map(hexOf);
}
