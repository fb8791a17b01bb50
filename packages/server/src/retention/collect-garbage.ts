import type { RetentionSettings } from '../config/retention-settings.ts';
import { GARBAGE_COLLECTION_LOCK, tryAdvisoryLock } from '../db/advisory-locks.ts';
import { onlyRow } from '../db/only-row.ts';
import type { Queryable } from '../db/transaction.ts';
import { withCleanup } from '../lib/errors.ts';
import { BlobRemover, collectOrphans, collectUnfinished } from './collect-blobs.ts';
import {
  collectCoverages,
  collectDeliveries,
  collectFindingEvents,
  collectIdempotencyKeys,
  collectJobs,
} from './collect-tenant-data.ts';
import {
  type Cutoffs,
  type GarbageCollection,
  type GarbageCollectionReport,
  Tally,
} from './collection-run.ts';
import { beginVisit, endVisit, findDueTenants } from './due-tenants.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How long the file of a dry run can be read. */
const DRY_RUN_FILE_HOURS = 24;
/** How long a delivery of a webhook can be read and repeated. Longer than all of its attempts take. */
const DELIVERY_RETENTION_DAYS = 30;

/**
 * Collects the garbage of the blob store and of all tenants that are due. Returns `undefined` if another process is
 * collecting or a backup is running. Throws BlobsNotRemoved at the end if a blob could not be removed.
 */
export async function collectGarbage(
  collection: GarbageCollection,
  settings: RetentionSettings,
): Promise<GarbageCollectionReport | undefined> {
  const { client, dryRun } = collection;
  if (dryRun) return await collectOnce(collection, settings);
  if (!(await tryAdvisoryLock(client, GARBAGE_COLLECTION_LOCK))) return undefined;
  return await withCleanup(
    () => collectOnce(collection, settings),
    () => client.query('select pg_advisory_unlock($1)', [GARBAGE_COLLECTION_LOCK]),
  );
}

async function collectOnce(
  collection: GarbageCollection,
  settings: RetentionSettings,
): Promise<GarbageCollectionReport> {
  const { client, dryRun } = collection;
  const now = await readClock(client);
  const cutoffs = cutoffsOf(now, settings);
  const remover = new BlobRemover(collection);
  const tally = () => new Tally(dryRun);
  const [keys, deliveries, events, jobs] = [tally(), tally(), tally(), tally()];
  const [files, orphans, unfinished] = [tally(), tally(), tally()];

  for (const tenantId of await findDueTenants(client, cutoffs)) {
    if (!dryRun) await beginVisit(client, tenantId);
    await collectIdempotencyKeys(collection, tenantId, cutoffs.idempotencyKey, keys);
    await collectFindingEvents(collection, tenantId, cutoffs.event, events);
    if (!dryRun) await collectCoverages(collection, tenantId, cutoffs.event);
    await collectDeliveries(collection, tenantId, cutoffs.delivery, deliveries);
    await collectJobs(collection, tenantId, cutoffs, { jobs, files, remover });
    if (!dryRun) await endVisit(client, tenantId, cutoffs);
  }
  await collectOrphans(collection, cutoffs.orphan, { tally: orphans, remover });
  await collectUnfinished(collection, cutoffs.orphan, { tally: unfinished, remover });
  remover.assertNoFailures();
  if (!dryRun) await client.query('update blob_store set garbage_collected_at = $1', [now]);
  return {
    dry_run: dryRun,
    idempotency_keys: keys.countOnly(),
    finding_events: events.countOnly(),
    webhook_deliveries: deliveries.countOnly(),
    jobs: jobs.countAndBytes(),
    files: files.countAndBytes(),
    orphan_blobs: orphans.countAndBytes(),
    unfinished_uploads: unfinished.countOnly(),
  };
}

/** Uses the clock of the database, which set most of the times that are compared. */
async function readClock(client: Queryable): Promise<Date> {
  return onlyRow(await client.query<{ now: Date }>('select clock_timestamp() as now')).now;
}

function cutoffsOf(now: Date, settings: RetentionSettings): Cutoffs {
  const before = (ms: number) => new Date(now.getTime() - ms);
  return {
    orphan: before(settings.orphanGraceHours * HOUR_MS),
    file: before(settings.fileRetentionDays * DAY_MS),
    dryRunFile: before(DRY_RUN_FILE_HOURS * HOUR_MS),
    job: before(settings.jobRetentionDays * DAY_MS),
    idempotencyKey: before(settings.idempotencyKeyHours * HOUR_MS),
    event: before(settings.historyRetentionDays * DAY_MS),
    delivery: before(DELIVERY_RETENTION_DAYS * DAY_MS),
  };
}
