import { validate as isUuid } from 'uuid';
import { BLOB_STORE_MARKER_LOCK } from '../db/advisory-locks.ts';
import type { Queryable } from '../db/transaction.ts';
import { codeOf, OperatorError, withCleanup } from '../lib/errors.ts';
import {
  BLOB_STORE_MARKER,
  BLOB_TOO_SHORT,
  type BlobStore,
  isBlobStoreFull,
  isBlobStoreUnavailable,
} from './blob-store.ts';

const MARKER_BYTES = 36;
const INCOMPLETE = Symbol('an incomplete marker');

const OTHER_DATABASE =
  'the blob store contains the uploads of another database; set SLUICE_BLOB_STORE to another folder or prefix';
const NO_MARKER = `the blob store does not contain the uploads of this database: the file '${BLOB_STORE_MARKER}' is missing; set SLUICE_BLOB_STORE to the right location, mount its disk, or copy the uploads, including that file, to this location`;
const NEVER_BOUND =
  "'sluice serve' has never been started with this database and this blob store; start it once with both";

interface Marker {
  readonly id: string;
  /** Whether the marker has been written. If so, a store without it is a different store. */
  readonly isMarked: boolean;
}

/**
 * Asserts that this store contains the uploads of the database: both have the same id, which the first start generates.
 * Throws an OperatorError if the store belongs to another database, or if a marker was written but is missing, for
 * example because the disk is not mounted.
 */
export async function bindStore(client: Queryable, blobs: BlobStore): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [BLOB_STORE_MARKER_LOCK]);
  await withCleanup(
    () => bindLocked(client, blobs),
    () => client.query('select pg_advisory_unlock($1)', [BLOB_STORE_MARKER_LOCK]),
  );
}

async function bindLocked(client: Queryable, blobs: BlobStore): Promise<void> {
  await client.query('insert into blob_store default values on conflict do nothing');
  const own = await ownMarker(client);
  if (own === undefined) throw new Error('the table blob_store is empty');
  const found = await readMarker(blobs);
  if (own.isMarked) {
    if (found === own.id) return;
    throw new OperatorError(typeof found === 'string' ? OTHER_DATABASE : NO_MARKER);
  }
  if (typeof found === 'string' && found !== own.id) throw new OperatorError(OTHER_DATABASE);
  // After an interrupted start, the marker may be incomplete or not flushed.
  if (found !== undefined) await blobs.delete(BLOB_STORE_MARKER);
  await writeMarker(blobs, own.id);
  await client.query('update blob_store set is_marked = true');
}

/** Like `bindStore`, but read-only. The store must already have been bound by a previous start. */
export async function assertBoundStore(client: Queryable, blobs: BlobStore): Promise<void> {
  const own = await ownMarker(client);
  const found = await readMarker(blobs);
  if (own !== undefined && found === own.id) return;
  if (typeof found === 'string') throw new OperatorError(OTHER_DATABASE);
  throw new OperatorError(own?.isMarked === true ? NO_MARKER : NEVER_BOUND);
}

async function ownMarker(client: Queryable): Promise<Marker | undefined> {
  const { rows } = await client.query<Marker>('select id, is_marked as "isMarked" from blob_store');
  return rows[0];
}

async function readMarker(blobs: BlobStore): Promise<string | typeof INCOMPLETE | undefined> {
  try {
    const text = (await blobs.read(BLOB_STORE_MARKER, 0, MARKER_BYTES)).toString('latin1');
    // After a power failure, a file may have its full size but contain zeros.
    return isUuid(text) ? text : INCOMPLETE;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === BLOB_TOO_SHORT) return INCOMPLETE;
    throw asOperatorError('read', error);
  }
}

async function writeMarker(blobs: BlobStore, id: string): Promise<void> {
  try {
    const writer = await blobs.create(BLOB_STORE_MARKER);
    try {
      await writer.append(Buffer.from(id, 'latin1'));
      await writer.commit();
    } catch (error) {
      // If the abort fails as well, the next start finds an incomplete marker and writes it again.
      await Promise.allSettled([writer.abort()]);
      throw error;
    }
  } catch (error) {
    throw asOperatorError('write', error);
  }
}

/** An operator can fix an unavailable or full store, so it is reported without a stack trace. */
function asOperatorError(action: 'read' | 'write', error: unknown): unknown {
  const isStoreError = isBlobStoreUnavailable(error) || isBlobStoreFull(error);
  if (!isStoreError || !(error instanceof Error)) return error;
  return new OperatorError(
    `could not ${action} '${BLOB_STORE_MARKER}' in the blob store: ${error.message}; check SLUICE_BLOB_STORE`,
    { cause: error },
  );
}
