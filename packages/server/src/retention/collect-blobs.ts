import { readBlobKey, type StoredBlob, type UnfinishedBlob } from '../blobs/blob-store.ts';
import { isDistributed } from '../db/distribution.ts';
import { TENANT } from '../db/tenant-parameter.ts';
import { inTransaction, type Queryable } from '../db/transaction.ts';
import { messageOf } from '../lib/errors.ts';
import type { GarbageCollection, Tally } from './collection-run.ts';

/** Blobs per query. They may belong to any number of tenants. */
const BATCH = 500;
/**
 * Maximum number of failures. After that, the store itself has probably failed, and each further attempt may take a
 * minute.
 */
const MAX_FAILURES = 10;

interface Candidate<Blob> {
  readonly blob: Blob;
  readonly tenantId: string;
  readonly ingestionId: string;
}

interface CollectionTarget {
  readonly tally: Tally;
  readonly remover: BlobRemover;
}

/**
 * Collects blobs that are older than this time and have no job. An upload's job is inserted right after its blob is
 * complete, and every upload takes less time than the grace period, so a blob without a job will never have one. Blobs
 * with keys in other formats and blobs of tenants that are not in this database are ignored.
 */
export async function collectOrphans(
  collection: GarbageCollection,
  before: Date,
  { tally, remover }: CollectionTarget,
): Promise<void> {
  const old = async function* (): AsyncGenerator<StoredBlob> {
    for await (const blob of collection.blobs.list(collection.signal))
      if (blob.modifiedAt < before) yield blob;
  };
  for await (const batch of candidatesIn(old()))
    for (const { blob } of await findOrphans(collection, batch)) {
      tally.add(blob.key, blob.bytes);
      await remover.remove(blob.key);
    }
}

/** Collects unfinished multipart uploads that were started before this time, under the same rules. */
export async function collectUnfinished(
  collection: GarbageCollection,
  before: Date,
  { tally, remover }: CollectionTarget,
): Promise<void> {
  const old = async function* (): AsyncGenerator<UnfinishedBlob> {
    for await (const upload of collection.blobs.unfinished(collection.signal))
      if (upload.startedAt < before) yield upload;
  };
  for await (const batch of candidatesIn(old()))
    for (const { blob } of await ofKnownTenants(collection, batch)) {
      tally.add(blob.key);
      await remover.attempt(() => blob.remove());
    }
}

async function* candidatesIn<Blob extends { readonly key: string }>(
  blobs: AsyncIterable<Blob>,
): AsyncGenerator<readonly Candidate<Blob>[]> {
  let batch: Candidate<Blob>[] = [];
  for await (const blob of blobs) {
    const owner = readBlobKey(blob.key);
    if (owner === undefined) continue;
    batch.push({ blob, ...owner });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The places of blobs that belong to no job, or to a job whose file has been removed. */
const FIND_OF_TENANT = `
  select b.place::int from unnest($2::uuid[]) with ordinality as b (job, place)
  where not exists (
    select from ingestions i where i.tenant_id = ${TENANT} and i.id = b.job and i.blob_removed_at is null)
  order by b.place`;

/**
 * Uses one statement that visits the tenants inside the database, because row level security exposes one tenant at a
 * time. In a distributed database, tenants are on different nodes, so each has a separate transaction.
 */
async function findOrphans(
  collection: GarbageCollection,
  candidates: readonly Candidate<StoredBlob>[],
): Promise<readonly Candidate<StoredBlob>[]> {
  const { client } = collection;
  if (!isDistributed(client))
    return await selectPlaces(
      client,
      candidates,
      'select place::int from find_unreferenced_blobs($1, $2) as place order by place',
      candidates.map(({ tenantId }) => tenantId),
    );
  const known = Map.groupBy(await ofKnownTenants(collection, candidates), ({ tenantId }) => tenantId);
  const orphans: Candidate<StoredBlob>[] = [];
  for (const [tenantId, ofTenant] of known)
    orphans.push(
      ...(await inTransaction(
        client,
        tenantId,
        () => selectPlaces(client, ofTenant, FIND_OF_TENANT, tenantId),
        { mode: 'read only' },
      )),
    );
  return orphans;
}

/** Runs a statement on the jobs of the candidates, which returns places of candidates, counted from 1. */
async function selectPlaces<Blob>(
  client: Queryable,
  candidates: readonly Candidate<Blob>[],
  statement: string,
  tenants: string | readonly string[],
): Promise<readonly Candidate<Blob>[]> {
  const { rows } = await client.query<{ place: number }>(statement, [
    tenants,
    candidates.map(({ ingestionId }) => ingestionId),
  ]);
  return rows.flatMap(({ place }) => candidates[place - 1] ?? []);
}

async function ofKnownTenants<Blob>(
  { client }: GarbageCollection,
  candidates: readonly Candidate<Blob>[],
): Promise<readonly Candidate<Blob>[]> {
  const { rows } = await client.query<{ id: string }>(
    'select tenant_id as id from tenant_housekeeping where tenant_id = any($1::uuid[])',
    [candidates.map(({ tenantId }) => tenantId)],
  );
  const known = new Set(rows.map(({ id }) => id));
  return candidates.filter(({ tenantId }) => known.has(tenantId));
}

/** Removes blobs that are no longer referenced. Continues after individual failures. */
export class BlobRemover {
  readonly #collection: GarbageCollection;
  readonly #failures: unknown[] = [];

  constructor(collection: GarbageCollection) {
    this.#collection = collection;
  }

  async remove(key: string): Promise<void> {
    const { blobs, signal } = this.#collection;
    await this.attempt(() => blobs.delete(key, signal));
  }

  /** Does nothing in a dry run. Only throws after too many failures. */
  async attempt(removal: () => Promise<void>): Promise<void> {
    const { dryRun, signal } = this.#collection;
    signal?.throwIfAborted();
    if (dryRun) return;
    try {
      await removal();
    } catch (error) {
      this.#failures.push(error);
      if (this.#failures.length === MAX_FAILURES) this.assertNoFailures();
    }
  }

  /** Throws if any blob could not be removed. */
  assertNoFailures(): void {
    const [first] = this.#failures;
    if (first === undefined) return;
    throw new BlobsNotRemoved(this.#failures.length, first);
  }
}

/** Unreferenced blobs could not be removed; the next garbage collection finds them again. */
export class BlobsNotRemoved extends Error {
  constructor(count: number, cause: unknown) {
    super(`${count} ${count === 1 ? 'blob' : 'blobs'} could not be removed: ${messageOf(cause)}`, { cause });
    this.name = 'BlobsNotRemoved';
  }
}
