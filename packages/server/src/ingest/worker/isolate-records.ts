import pg from 'pg';
import { isBlobStoreUnavailable } from '../../blobs/blob-store-unavailable.ts';
import { classifyDatabaseError } from '../../db/classify-database-error.ts';
import { TransactionLost } from '../../db/transaction.ts';
import { StoredFileError } from '../frames/stored-bytes.ts';

/** SQLSTATE classes of deterministic failures: data exceptions, constraint violations, program limits. */
const DATA_CLASSES = /^(22|23|54)/;

/** Whether a record may have caused the error, in which case every attempt would fail. */
export function mayBeRecordFault(error: unknown): boolean {
  const isOfStorage = isBlobStoreUnavailable(error) || error instanceof StoredFileError;
  if (isOfStorage || error instanceof TransactionLost || classifyDatabaseError(error) !== undefined)
    return false;
  return error instanceof pg.DatabaseError ? DATA_CLASSES.test(error.code ?? '') : error instanceof Error;
}

/**
 * Uses bisection to find the positions in [from, to) that fail individually, with their errors. `attempt` returns the
 * reason why a range fails, or `undefined`. A range that fails only as a whole adds no positions to the result.
 */
export async function isolate<Failure>(
  from: number,
  to: number,
  attempt: (from: number, to: number) => Promise<Failure | undefined>,
): Promise<Map<number, Failure>> {
  const found = new Map<number, Failure>();
  const search = async (from: number, to: number) => {
    if (from >= to) return;
    const failure = await attempt(from, to);
    if (failure === undefined) return;
    if (to - from === 1) {
      found.set(from, failure);
      return;
    }
    const middle = Math.floor((from + to) / 2);
    await search(from, middle);
    await search(middle, to);
  };
  await search(from, to);
  return found;
}
