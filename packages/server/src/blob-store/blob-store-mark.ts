import type { Queryable } from '../db/transaction.ts';
import { codeOf } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';
import { BLOB_STORE_MARK, type BlobStore } from './blob-store.ts';

const MARK_BYTES = 36;
const MARK_LOCK = 7_517_342_010;

/**
 * Makes sure that this store is the one which holds the database's uploads: both have the same id, which the first
 * start gives them. Throws an OperatorError where it is another's, or where the mark of a store that had it is gone,
 * as in an empty folder whose disk is not mounted.
 */
export async function assertStoreOf(client: Queryable, blobs: BlobStore): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [MARK_LOCK]);
  try {
    await client.query('insert into blob_store default values on conflict do nothing');
    const { rows } = await client.query<{ id: string; isMarked: boolean }>(
      'select id, is_marked as "isMarked" from blob_store',
    );
    const [own] = rows;
    if (own === undefined) throw new Error('the database has no row for its blob store');
    const found = await readMark(blobs);
    if (found === own.id && own.isMarked) return;
    if (found !== undefined && found !== own.id) throw new OperatorError(ANOTHERS);
    if (found === undefined && own.isMarked) throw new OperatorError(NOT_MARKED);
    if (found === undefined) await writeMark(blobs, own.id);
    await client.query('update blob_store set is_marked = true');
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MARK_LOCK]);
  }
}

const ANOTHERS =
  'the blob store holds the uploads of another database; set SLUICE_BLOB_STORE to a folder or prefix of its own';
const NOT_MARKED = `the blob store does not hold the uploads of this database: it has no '${BLOB_STORE_MARK}'; set SLUICE_BLOB_STORE to where they are, mount that disk, or copy them there with that file`;

async function readMark(blobs: BlobStore): Promise<string | undefined> {
  try {
    return (await blobs.read(BLOB_STORE_MARK, 0, MARK_BYTES)).toString('latin1');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeMark(blobs: BlobStore, id: string): Promise<void> {
  const writer = await blobs.create(BLOB_STORE_MARK);
  await writer.append(Buffer.from(id, 'latin1'));
  await writer.commit();
}
