import { validate as isUuid } from 'uuid';
import type { Queryable } from '../db/transaction.ts';
import { withCleanup } from '../db/with-cleanup.ts';
import { codeOf } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';
import { BLOB_STORE_MARKER, type BlobStore } from './blob-store.ts';
import { isBlobStoreFull } from './blob-store-full.ts';
import { isBlobStoreUnavailable } from './blob-store-unavailable.ts';
import { BLOB_TOO_SHORT } from './blob-too-short.ts';

const MARK_BYTES = 36;
const MARK_LOCK = 7_517_342_010;

interface Mark {
  readonly id: string;
  /** Whether the mark was written: if it is missing from a store, that is another store. */
  readonly isMarked: boolean;
}

/**
 * Asserts that this store holds the uploads of the database: both have the same id, which the first start creates. Throws
 * an OperatorError if the store belongs to another database, or if its mark is missing although the database has recorded
 * one, as in an empty folder whose disk is not mounted.
 */
export async function bindStore(client: Queryable, blobs: BlobStore): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [MARK_LOCK]);
  await withCleanup(
    () => bindLocked(client, blobs),
    () => client.query('select pg_advisory_unlock($1)', [MARK_LOCK]),
  );
}

async function bindLocked(client: Queryable, blobs: BlobStore): Promise<void> {
  await client.query('insert into blob_store default values on conflict do nothing');
  const own = await ownMark(client);
  if (own === undefined) throw new Error('the database has no row for its blob store');
  const found = await readMark(blobs);
  if (own.isMarked) {
    if (found === own.id) return;
    throw new OperatorError(typeof found === 'string' ? ANOTHERS : NOT_MARKED);
  }
  if (typeof found === 'string' && found !== own.id) throw new OperatorError(ANOTHERS);
  // A mark of an interrupted start may be incomplete or not flushed.
  if (found !== undefined) await blobs.delete(BLOB_STORE_MARKER);
  await writeMark(blobs, own.id);
  await client.query('update blob_store set is_marked = true');
}

/** As `bindStore`, but read-only: the store must have been bound by a start. */
export async function assertBoundStore(client: Queryable, blobs: BlobStore): Promise<void> {
  const own = await ownMark(client);
  const found = await readMark(blobs);
  if (own !== undefined && found === own.id) return;
  if (typeof found === 'string') throw new OperatorError(ANOTHERS);
  throw new OperatorError(own?.isMarked === true ? NOT_MARKED : NEVER_BOUND);
}

const ANOTHERS =
  'the blob store holds the uploads of another database; set SLUICE_BLOB_STORE to a folder or prefix of its own';
const NOT_MARKED = `the blob store does not hold the uploads of this database: it has no '${BLOB_STORE_MARKER}'; set SLUICE_BLOB_STORE to where they are, mount that disk, or copy them there with that file`;
const NEVER_BOUND =
  "no service has started with this database and this blob store yet; start 'sluice serve' with both first";

const BEGUN = Symbol('a mark that is not whole');

async function ownMark(client: Queryable): Promise<Mark | undefined> {
  const { rows } = await client.query<Mark>('select id, is_marked as "isMarked" from blob_store');
  return rows[0];
}

async function readMark(blobs: BlobStore): Promise<string | typeof BEGUN | undefined> {
  try {
    const text = (await blobs.read(BLOB_STORE_MARKER, 0, MARK_BYTES)).toString('latin1');
    // After a power cut a file may have its size, with zeros in place of its bytes.
    return isUuid(text) ? text : BEGUN;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === BLOB_TOO_SHORT) return BEGUN;
    throw asOperatorError('read', error);
  }
}

async function writeMark(blobs: BlobStore, id: string): Promise<void> {
  try {
    const writer = await blobs.create(BLOB_STORE_MARKER);
    try {
      await writer.append(Buffer.from(id, 'latin1'));
      await writer.commit();
    } catch (error) {
      // If that fails as well, the next start finds an incomplete mark and writes it again.
      await Promise.allSettled([writer.abort()]);
      throw error;
    }
  } catch (error) {
    throw asOperatorError('write', error);
  }
}

/** An unavailable or full store is for the operator to fix, so it is reported without a stack trace. */
function asOperatorError(what: string, error: unknown): unknown {
  const isTheirs = isBlobStoreUnavailable(error) || isBlobStoreFull(error);
  if (!isTheirs || !(error instanceof Error)) return error;
  return new OperatorError(
    `could not ${what} '${BLOB_STORE_MARKER}' of the blob store: ${error.message}; see SLUICE_BLOB_STORE`,
    { cause: error },
  );
}
