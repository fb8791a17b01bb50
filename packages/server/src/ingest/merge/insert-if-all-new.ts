import { UNIQUE_VIOLATION } from '../../db/database-errors.ts';
import type { Queryable } from '../../db/transaction.ts';
import { codeOf } from '../../lib/errors.ts';
import { hexOf } from './copy-writer.ts';

const SAMPLE_SIZE = 16;

/**
 * A sample of ids, in hexadecimal, spread evenly. If none of it exists, rows are probably all new, so that inserting
 * them without looking up each one first is faster.
 */
export function sampleOf(ids: readonly string[]): readonly string[] {
  const step = Math.ceil(ids.length / SAMPLE_SIZE);
  return ids.filter((_, at) => at % step === 0).map(hexOf);
}

/** Runs an insert in the open transaction. Returns `undefined`, and changes nothing, if a row already exists. */
export async function insertIfAllNew<Result>(
  client: Queryable,
  insert: () => Promise<Result>,
): Promise<Result | undefined> {
  await client.query('savepoint inserting');
  try {
    return await insert();
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint inserting');
    return undefined;
  }
}
