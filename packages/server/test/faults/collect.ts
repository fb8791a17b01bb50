import { countsOf, type GcReport } from '../support/aged-data.ts';
import type { Operator } from '../support/operator.ts';
import type { StoredBlobs } from './stored-blobs.ts';
import { repeatUntilSuccess, type Tenant } from './tenant.ts';

/** Makes all blobs old enough for garbage collection, and expires the file of the first upload. */
export async function expire({ sql, id, plans }: Tenant, blobs: StoredBlobs): Promise<void> {
  await sql(
    `update ingestions set completed_at = completed_at - interval '31 days' where tenant_id = $1 and file_name = $2`,
    [id, plans.first.fileName],
  );
  await blobs.age(id);
}

/** Runs garbage collection as an operator would, repeating it after a failure. */
export async function collect(tenant: Tenant, { sluiceJson }: Operator): Promise<void> {
  await repeatUntilSuccess(tenant, 'garbage collection', async () =>
    countsOf(await sluiceJson<GcReport>('gc')),
  );
}

/** Checks that every remaining blob belongs to a job, and that every job with a file has its blob. */
export async function checkBlobs(
  { id, sql, faults, client, sent }: Tenant,
  blobs: StoredBlobs,
): Promise<void> {
  const jobs = await sql<{ id: string }>(
    'select id from ingestions where tenant_id = $1 and blob_removed_at is null',
    [id],
  );
  const stored = (await blobs.keysOf(id)).map((key) => /([^/]+)\.ocsf\.json\.zst$/.exec(key)?.[1]);
  faults.expectSame('the blobs', stored.sort(), jobs.map((job) => job.id).sort());
  const [first] = sent;
  // The file expires only if no finding refers to it, because the second upload was accepted.
  if (first?.outcome.type !== 'accepted' || sent.some(({ outcome }) => outcome.type !== 'accepted')) return;
  const { status } = await client.file(first.outcome.id);
  faults.expectSame('the status of an expired file', status, 410);
}
