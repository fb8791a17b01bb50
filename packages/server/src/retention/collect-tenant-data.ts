import { blobKey } from '../blobs/blob-store.ts';
import { onlyRow } from '../db/only-row.ts';
import { inTransaction } from '../db/transaction.ts';
import { ALL_CHECKS } from '../ingest/merge/coverage-scopes.ts';
import { withCleanup } from '../lib/errors.ts';
import { NIL_UUID } from '../lib/nil-uuid.ts';
import type { BlobRemover } from './collect-blobs.ts';
import { type Cutoffs, type GarbageCollection, type Tally, transactionMode } from './collection-run.ts';

/** Jobs per transaction. The number is small, because a job may have 10,000 errors. */
const JOB_BATCH = 20;
const EVENT_BATCH = 10_000;
/** Other rows per transaction. */
const ROW_BATCH = 1000;

interface ExpiredJob {
  readonly id: string;
  readonly requestedAt: Date;
  /** Size of the job's blob; 0 if the blob has already been removed. */
  readonly bytes: number;
  readonly hasFile: boolean;
  /** Whether the whole job has expired, and not only its file. */
  readonly isOld: boolean;
}

/**
 * Selects ended jobs that no finding refers to. Only the transactions that process a job's frames can make a finding
 * refer to the job, and they have all committed by the time the job ends. Once a job has ended, the number of findings
 * that refer to it can only decrease, so a selected job stays unreferenced even if other uploads are merged in the
 * meantime. The exception is a retried job, which is in progress again or has a later end time. The end time is
 * therefore checked again before a job is deleted.
 *
 * If there is a candidate, all findings of the tenant are read once. An index would slow down every ingestion.
 */
const EXPIRED_JOBS = `
  declare expired_jobs no scroll cursor with hold for
  with candidates as materialized (
    select i.id, i.requested_at, i.blob_removed_at is null
        and i.completed_at < greatest($2::timestamptz, case when i.dry_run then $5::timestamptz end) as has_old_file,
      i.blob_removed_at is null as has_file,
      i.completed_at < $3 and not exists (
        select from idempotency_keys k where k.tenant_id = $1 and k.ingestion_id = i.id and k.inserted_at >= $4
      ) as is_old
    from ingestions i
    where i.tenant_id = $1
      and i.completed_at < greatest($2::timestamptz, $3::timestamptz, case when i.dry_run then $5::timestamptz end)
      and (i.blob_removed_at is null or i.completed_at < $3)
  ), needed as materialized (
    select distinct f.ingestion_id from findings f where f.tenant_id = $1 and exists (select from candidates)
  )
  select c.id, c.requested_at as "requestedAt", c.has_file as "hasFile", c.is_old as "isOld",
    case when c.has_file then
      (select coalesce(sum(r.blob_bytes), 0)::float8 from frames r where r.tenant_id = $1 and r.ingestion_id = c.id)
    else 0 end as bytes
  from candidates c
  where (c.is_old or c.has_old_file)
    and not exists (select from needed n where n.ingestion_id = c.id)`;

/** Frames, errors, scans and idempotency keys are deleted with the job. */
const DELETE_JOBS =
  'delete from ingestions where tenant_id = $1 and id = any($2::uuid[]) and completed_at < $3 returning id';

const MARK_FILES = `
  update ingestions set blob_removed_at = statement_timestamp()
  where tenant_id = $1 and id = any($2::uuid[]) and blob_removed_at is null
    and completed_at < greatest($3::timestamptz, case when dry_run then $4::timestamptz end)
  returning id`;

/**
 * Collects a tenant's expired jobs and files that no finding refers to. The database is updated before a blob is
 * removed: if the process is killed in between, the blob is an orphan, which the next run finds.
 */
export async function collectJobs(
  collection: GarbageCollection,
  tenantId: string,
  cutoffs: Cutoffs,
  to: { readonly jobs: Tally; readonly files: Tally; readonly remover: BlobRemover },
): Promise<void> {
  const { client, dryRun, signal } = collection;
  const mode = transactionMode(collection);
  const { file, job, idempotencyKey, dryRunFile } = cutoffs;
  await inTransaction(
    client,
    tenantId,
    () => client.query(EXPIRED_JOBS, [tenantId, file, job, idempotencyKey, dryRunFile]),
    { mode },
  );
  const collect = async () => {
    for (;;) {
      signal?.throwIfAborted();
      const { rows } = await client.query<ExpiredJob>(`fetch ${JOB_BATCH} from expired_jobs`);
      if (rows.length === 0) return;
      const removed = dryRun ? rows : await deleteExpired(collection, tenantId, rows, cutoffs);
      for (const { id, isOld, bytes } of removed)
        (isOld ? to.jobs : to.files).add(`${tenantId}/${id}`, bytes);
      for (const { id, requestedAt, hasFile } of removed)
        if (hasFile) await to.remover.remove(blobKey(tenantId, id, requestedAt));
    }
  };
  await withCleanup(collect, () => client.query('close expired_jobs'));
}

/** Deletes the jobs and files that are still expired, and returns them. */
async function deleteExpired(
  { client }: GarbageCollection,
  tenantId: string,
  rows: readonly ExpiredJob[],
  { file, job, dryRunFile }: Cutoffs,
): Promise<readonly ExpiredJob[]> {
  const ids = (isOld: boolean) => rows.filter((row) => row.isOld === isOld).map(({ id }) => id);
  const removed = await inTransaction(client, tenantId, async () => [
    ...(await client.query<{ id: string }>(DELETE_JOBS, [tenantId, ids(true), job])).rows,
    ...(await client.query<{ id: string }>(MARK_FILES, [tenantId, ids(false), file, dryRunFile])).rows,
  ]);
  return rows.filter(({ id }) => removed.some((one) => one.id === id));
}

/**
 * Deletes a tenant's idempotency keys that are older than this time. A later request with a deleted key creates a new
 * job.
 */
export async function collectIdempotencyKeys(
  collection: GarbageCollection,
  tenantId: string,
  before: Date,
  tally: Tally,
): Promise<void> {
  await collectRows(
    collection,
    {
      table: 'idempotency_keys',
      // Keys are never empty, so all of them sort after ''.
      key: { column: 'key', beforeFirst: '' },
      condition: 'inserted_at < $2',
    },
    tenantId,
    before,
    tally,
  );
}

/** Deletes a tenant's deliveries of webhooks that are older than this time, except pending ones. */
export async function collectDeliveries(
  collection: GarbageCollection,
  tenantId: string,
  before: Date,
  tally: Tally,
): Promise<void> {
  await collectRows(
    collection,
    {
      table: 'webhook_deliveries',
      key: { column: 'id', beforeFirst: NIL_UUID },
      condition: "created_at < $2 and status <> 'pending'",
    },
    tenantId,
    before,
    tally,
  );
}

/** Rows that expire, and the column that identifies them in their tenant. */
interface ExpiringRows {
  readonly table: string;
  readonly key: { readonly column: string; readonly beforeFirst: string };
  /** `$2` is the time before which they have expired. */
  readonly condition: string;
}

async function collectRows(
  collection: GarbageCollection,
  { table, key: { column, beforeFirst }, condition }: ExpiringRows,
  tenantId: string,
  before: Date,
  tally: Tally,
): Promise<void> {
  const { client, dryRun, signal } = collection;
  const old = `select ${column} from ${table} where tenant_id = $1 and ${condition} and ${column} > $3`;
  const statement = dryRun
    ? `${old} order by ${column} limit ${ROW_BATCH}`
    : `delete from ${table} where tenant_id = $1 and ${column} in (${old} limit ${ROW_BATCH}) returning ${column}`;
  // Only a dry run, which deletes nothing, has to advance.
  let after = beforeFirst;
  let collected: number;
  do {
    signal?.throwIfAborted();
    const { rows } = await inTransaction(
      client,
      tenantId,
      () => client.query<Record<string, string>>(statement, [tenantId, before, after]),
      { mode: transactionMode(collection) },
    );
    const keys = rows.flatMap((row) => row[column] ?? []);
    for (const key of keys) tally.add(`${tenantId}/${key}`);
    if (dryRun) after = keys.at(-1) ?? after;
    collected = rows.length;
  } while (collected === ROW_BATCH);
}

/** Deletes the changes of a tenant's findings that were learned before this time. Dry runs do not name them. */
export async function collectFindingEvents(
  collection: GarbageCollection,
  tenantId: string,
  before: Date,
  tally: Tally,
): Promise<void> {
  const { client, dryRun, signal } = collection;
  const statement = dryRun
    ? 'select count(*)::float8 as count from finding_events where tenant_id = $1 and learned_at < $2'
    : `with deleted as (
         delete from finding_events where tenant_id = $1 and (finding_id, ingestion_id, is_resolution) in (
           select finding_id, ingestion_id, is_resolution from finding_events
           where tenant_id = $1 and learned_at < $2 order by learned_at limit ${EVENT_BATCH})
         returning 1
       ) select count(*)::float8 as count from deleted`;
  for (;;) {
    signal?.throwIfAborted();
    const { count } = onlyRow(
      await inTransaction(
        client,
        tenantId,
        () => client.query<{ count: number }>(statement, [tenantId, before]),
        {
          mode: transactionMode(collection),
        },
      ),
    );
    tally.addUnnamed(count);
    if (dryRun || count < EVENT_BATCH) return;
  }
}

/**
 * Deletes the coverages of a tenant that were published before this time, if a later one holds the same findings. Late
 * records that are older than both are resolved by the later one from now on. Coverages alone do not make a tenant due.
 */
export async function collectCoverages(
  { client, signal }: GarbageCollection,
  tenantId: string,
  before: Date,
): Promise<void> {
  let deleted: number | null;
  do {
    signal?.throwIfAborted();
    ({ rowCount: deleted } = await inTransaction(client, tenantId, () =>
      client.query(REPLACED_COVERAGES, [tenantId, before]),
    ));
  } while (deleted === ROW_BATCH);
}

const REPLACED_COVERAGES = `
  delete from coverages where tenant_id = $1 and (provider_id, ingestion_id, id) in (
    select c.provider_id, c.ingestion_id, c.id from coverages c
    where c.tenant_id = $1 and c.published_at < $2 and exists (
      select from coverages later
      where later.tenant_id = $1 and later.provider_id = c.provider_id and later.id = c.id and later.newest_time > c.newest_time
        and c.newest_time <= all (later.times)
        and (later.check_keys = array[${ALL_CHECKS}::bigint] or later.check_keys @> c.check_keys))
    limit ${ROW_BATCH})`;
