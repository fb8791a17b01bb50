import type { Queryable } from './transaction.ts';

// Keys of the PostgreSQL advisory locks of Sluice. A lock is released at the latest when its connection closes.

/** Held while migrations are applied. Earlier releases hold it for their whole session. */
export const MIGRATION_LOCK = 7_517_342_003;

/** Held by the process that uses the embedded PostgreSQL of a data directory. */
export const DATA_DIRECTORY_LOCK = 7_517_342_004;

/** Shared by running servers. Commands that require all servers to be stopped hold it exclusively. */
export const SERVER_LEASE_LOCK = 7_517_342_005;

/**
 * Held during garbage collection. A backup also holds it, so that no blob is removed while blobs are copied. The lock
 * also prevents two processes from collecting the data of a tenant at the same time. Otherwise, the result of the
 * earlier run could hide a change whose queue entry the later run has removed.
 */
export const GARBAGE_COLLECTION_LOCK = 7_517_342_009;

/** Held while the marker of a blob store is compared or written. */
export const BLOB_STORE_MARKER_LOCK = 7_517_342_010;

/**
 * First key of the lock held while the rows of a deleted provider are removed. The second key identifies the provider.
 */
export const PROVIDER_REMOVAL_LOCK_CLASS = 751_734_206;

/** First key of the lock held while the findings of a tenant are backfilled. The second key identifies the tenant. */
export const FINDING_BACKFILL_LOCK_CLASS = 751_734_208;

/**
 * First key of the lock held while changes of finding counts are added to the totals. The second key identifies the
 * tenant.
 */
export const FINDING_TOTALS_LOCK_CLASS = 751_734_207;

/**
 * First key of the lock held while the coverage of an upload is published; frames share it while they are merged. The
 * second key identifies the tenant.
 */
export const COVERAGE_LOCK_CLASS = 751_734_210;

/** First key of the lock held during an export of findings. The second key identifies the tenant. */
export const EXPORT_LOCK_CLASS = 751_734_209;

/** The number of exports of a tenant that can hold the lock at the same time. */
export const EXPORTS_PER_TENANT = 1;

/** Tries to take an exclusive lock, without waiting. Returns whether the session now holds it. */
export async function tryAdvisoryLock(client: Queryable, key: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    key,
  ]);
  return rows[0]?.locked === true;
}
