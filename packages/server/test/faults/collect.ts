import { countsOf, type GcReport } from '../support/aged-data.ts';
import type { TenantService } from '../support/service.ts';
import { repeated } from './scenario.ts';
import type { Tenant } from './tenant.ts';

/** Where a service keeps blobs, as a test sees it. */
export interface StoredBlobs {
  /** The keys of a tenant's blobs, with those that were begun and not finished. */
  readonly keysOf: (tenantId: string) => Promise<string[]>;
  /** Lets all blobs of a tenant be so old that no upload can belong to them any more. */
  readonly age: (tenantId: string) => Promise<void>;
  readonly remove: (tenantId: string) => Promise<void>;
}

/** Lets everything be old enough for a garbage collection, and the file of the first upload expire. */
export async function expire({ sql, id, plans }: Tenant, blobs: StoredBlobs): Promise<void> {
  await sql(
    `update ingestions set completed_at = completed_at - interval '31 days' where tenant_id = $1 and file_name = $2`,
    [id, plans.first.fileName],
  );
  await blobs.age(id);
}

/** Collects garbage as an operator does; what a failed run has left is found by the next. */
export async function collect(
  tenant: Tenant,
  { sluiceJson }: Pick<TenantService, 'sluiceJson'>,
): Promise<void> {
  await repeated(tenant, 'the collection', async () => countsOf(await sluiceJson<GcReport>('gc')));
}

/** Every blob that is left belongs to a job, and every job that has a file has its blob. */
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
  // Its findings are those of the second upload then.
  if (first?.outcome.kind !== 'accepted' || sent.some(({ outcome }) => outcome.kind !== 'accepted')) return;
  const { status } = await client.file(first.outcome.id);
  faults.expectSame('the status of an expired file', status, 410);
}
