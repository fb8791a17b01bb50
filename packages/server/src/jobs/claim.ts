import { inTransaction, type Queryable } from '../db/transaction.ts';
import type { Frame } from '../frames/frame-writer.ts';

/** A frame that this worker holds: its queue row is locked by the open transaction. */
export interface ClaimedFrame {
  readonly tenantId: string;
  readonly ingestionId: string;
  readonly number: number;
}

/** What a worker needs to know of the frame and its upload. */
export interface FrameJob extends ClaimedFrame, Frame {
  /** How often it was begun, this time included. */
  readonly attempts: number;
  readonly requestedAt: Date;
  readonly defaultProvider: string | null;
  readonly defaultAccount: string | null;
  /** Of the upload; null where it came in before these were kept. */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/** Before every tenant. */
export const FIRST_TURN = '00000000-0000-0000-0000-000000000000';

/** Claims a frame of the next tenant in turn after the given one, for the transaction that is open. */
export async function claimFrame(client: Queryable, afterTenant: string): Promise<ClaimedFrame | undefined> {
  const { rows } = await client.query<ClaimedFrame>(
    `select tenant_id as "tenantId", ingestion_id as "ingestionId", number from claim_frame($1)`,
    [afterTenant],
  );
  return rows[0];
}

/**
 * Counts the attempt and shows the job as processing. Runs on a connection of its own, so that both are seen
 * at once and stay when the work is undone, by an error or by the worker's death.
 */
export async function beginFrame(client: Queryable, claim: ClaimedFrame): Promise<FrameJob> {
  const { rows } = await inTransaction(client, claim.tenantId, () =>
    client.query<FrameJob>(
      `with begun as (
       update frames set attempts = least(attempts + 1, 1000)
       where tenant_id = $1 and ingestion_id = $2 and number = $3
       returning *
     ), started as (
       update ingestions set status = 'processing', started_at = clock_timestamp()
       where tenant_id = $1 and id = $2 and status = 'pending'
     )
     select b.tenant_id as "tenantId", b.ingestion_id as "ingestionId", b.number, b.first_record::float8 as "firstRecord",
       b.records, b.byte_offset::float8 as "byteOffset", b.bytes::float8 as bytes, b.blob_offset::float8 as "blobOffset",
       b.blob_bytes as "blobBytes", b.index_bytes as "indexBytes", b.attempts, i.requested_at as "requestedAt",
       i.default_provider as "defaultProvider", i.default_account as "defaultAccount",
       i.request_id as "requestId", i.traceparent
     from begun b join ingestions i on i.tenant_id = b.tenant_id and i.id = b.ingestion_id`,
      [claim.tenantId, claim.ingestionId, claim.number],
    ),
  );
  const job = rows[0];
  if (job === undefined)
    throw new Error(`frame ${claim.number} of ingestion ${claim.ingestionId} is queued but not there`);
  return job;
}

/** Puts a frame off after a failure, for everybody. */
export async function delayFrame(client: Queryable, claim: ClaimedFrame, delayMs: number): Promise<void> {
  await client.query(
    `update frame_queue set available_at = clock_timestamp() + $4 * interval '1 millisecond'
     where tenant_id = $1 and ingestion_id = $2 and number = $3`,
    [claim.tenantId, claim.ingestionId, claim.number, delayMs],
  );
}

/** Milliseconds until the next frame that was put off may be claimed; `undefined` when there is none. */
export async function nextFrameIn(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ delay: number | null }>(
    `select extract(epoch from min(available_at) - clock_timestamp())::float8 * 1000 as delay
     from frame_queue where available_at > clock_timestamp()`,
  );
  return rows[0]?.delay ?? undefined;
}
