import { readBlobKey } from '../blob-store/blob-key.ts';
import type { StoredBlob } from '../blob-store/blob-store.ts';
import { inTransaction } from '../db/transaction.ts';
import type { BlobRemover } from './blob-remover.ts';
import { type House, transactionMode } from './house.ts';
import type { Tally } from './report.ts';

/** Looked up at once. */
const BATCH = 500;

interface Candidate extends StoredBlob {
  readonly ingestionId: string;
}

/**
 * Collects blobs from before this time that no job has, or has no more. An upload's row is inserted right after its blob
 * is finished, and no upload runs as long as the time is ago: a blob without a row will never have one. What is not named
 * as our blobs are, and blobs of tenants that this database does not know, are somebody else's.
 */
export async function collectOrphans(
  house: House,
  tenants: ReadonlySet<string>,
  before: Date,
  { tally, remover }: { readonly tally: Tally; readonly remover: BlobRemover },
): Promise<void> {
  let tenantId = '';
  let candidates: Candidate[] = [];
  const collect = async () => {
    const orphans = candidates.length === 0 ? [] : await findOrphans(house, tenantId, candidates);
    candidates = [];
    for (const { key, bytes } of orphans) {
      tally.add(key, bytes);
      await remover.remove(key);
    }
  };
  for await (const blob of house.blobs.list(house.signal)) {
    const owner = readBlobKey(blob.key);
    if (owner === undefined || !tenants.has(owner.tenantId) || blob.modifiedAt >= before) continue;
    if (owner.tenantId !== tenantId || candidates.length === BATCH) await collect();
    tenantId = owner.tenantId;
    candidates.push({ ...blob, ingestionId: owner.ingestionId });
  }
  await collect();
}

/** Collects uploads in parts that were begun before this time and never finished, under the same rules. */
export async function collectUnfinished(
  { blobs, signal }: House,
  tenants: ReadonlySet<string>,
  before: Date,
  { tally, remover }: { readonly tally: Tally; readonly remover: BlobRemover },
): Promise<void> {
  for await (const upload of blobs.unfinished(signal)) {
    const owner = readBlobKey(upload.key);
    if (owner === undefined || !tenants.has(owner.tenantId) || upload.begunAt >= before) continue;
    tally.add(upload.key);
    await remover.attempt(() => upload.remove());
  }
}

async function findOrphans(
  house: House,
  tenantId: string,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const { client } = house;
  const { rows } = await inTransaction(
    client,
    tenantId,
    () =>
      client.query<{ id: string }>(
        'select id from ingestions where tenant_id = $1 and id = any($2::uuid[]) and blob_removed_at is null',
        [tenantId, candidates.map(({ ingestionId }) => ingestionId)],
      ),
    transactionMode(house),
  );
  const needed = new Set(rows.map(({ id }) => id));
  return candidates.filter(({ ingestionId }) => !needed.has(ingestionId));
}
