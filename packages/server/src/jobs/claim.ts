import { inTransaction, type Queryable, setTenant } from '../db/transaction.ts';
import type { Frame } from '../frames/frame-writer.ts';
import type { StoredFileFault } from '../frames/stored-bytes.ts';

/** A frame that this worker holds: its queue row is locked by the open transaction. */
export interface ClaimedFrame {
  readonly tenantId: string;
  readonly ingestionId: string;
  readonly number: number;
}

/** What a worker needs to know of the frame and its upload. */
export interface FrameJob extends ClaimedFrame, Frame {
  /** Tries that failed in code. */
  readonly failures: number;
  /** Tries that were cut off: the worker died, its connection broke, the blob store did not give this frame. */
  readonly interruptions: number;
  /** What is wrong with its stored file, where it has waited for that. */
  readonly fileFault: StoredFileFault | null;
  /** The code that its records count as, where it was given up before. */
  readonly givenUpAs: string | null;
  /** The try before this one was cut off. */
  readonly wasInterrupted: boolean;
  readonly requestedAt: Date;
  readonly defaultProvider: string | null;
  readonly defaultAccount: string | null;
  /** Of the upload; null where it came in before these were kept. */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/** Before every tenant. */
export const BEFORE_FIRST_TENANT = '00000000-0000-0000-0000-000000000000';

/**
 * Claims a frame of the next tenant in turn after the given one, and of none of these jobs, for the transaction that is
 * open.
 */
export async function claimFrame(
  client: Queryable,
  afterTenant: string,
  fullJobs: readonly string[],
): Promise<ClaimedFrame | undefined> {
  const { rows } = await client.query<ClaimedFrame>(
    `select tenant_id as "tenantId", ingestion_id as "ingestionId", number from claim_frame($1, $2)`,
    [afterTenant, fullJobs],
  );
  return rows[0];
}

/**
 * Notes that the frame is begun and shows the job as processing. Runs on a connection of its own, so that both are seen
 * at once and stay when the work is undone, by an error or by the worker's death.
 */
export async function startFrame(client: Queryable, claim: ClaimedFrame): Promise<FrameJob> {
  const { rows } = await inTransaction(client, claim.tenantId, () =>
    client.query<FrameJob>(
      `with before as (
       select is_begun from frames where tenant_id = $1 and ingestion_id = $2 and number = $3
     ), begun as (
       update frames set interruptions = least(interruptions + is_begun::int, 1000), is_begun = true
       where tenant_id = $1 and ingestion_id = $2 and number = $3
       returning *
     ), started as (
       update ingestions set status = 'processing', started_at = clock_timestamp()
       where tenant_id = $1 and id = $2 and status = 'pending'
     )
     select b.tenant_id as "tenantId", b.ingestion_id as "ingestionId", b.number, b.first_record::float8 as "firstRecord",
       b.records, b.byte_offset::float8 as "byteOffset", b.bytes::float8 as bytes, b.blob_offset::float8 as "blobOffset",
       b.blob_bytes as "blobBytes", b.index_bytes as "indexBytes", b.data_crc32::float8 as "dataCrc32",
       b.index_crc32::float8 as "indexCrc32", b.file_fault as "fileFault", b.given_up_as as "givenUpAs", b.failures, b.interruptions,
       before.is_begun as "wasInterrupted", i.requested_at as "requestedAt",
       i.default_provider as "defaultProvider", i.default_account as "defaultAccount",
       i.request_id as "requestId", i.traceparent
     from before, begun b join ingestions i on i.tenant_id = b.tenant_id and i.id = b.ingestion_id`,
      [claim.tenantId, claim.ingestionId, claim.number],
    ),
  );
  const job = rows[0];
  if (job === undefined)
    throw new Error(`frame ${claim.number} of ingestion ${claim.ingestionId} is queued but not there`);
  return job;
}

/** What a try that came to nothing counts as; where the fault is everybody's, it is nothing. */
export type AttemptOutcome = 'failure' | 'interruption' | 'nothing';

/** Gives a claimed frame back for everybody, from a while on, with the commit of the transaction that holds it. */
export async function rescheduleFrame(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
  tried: AttemptOutcome,
  delayMs: number,
  fileFault: StoredFileFault | null = null,
): Promise<void> {
  await setTenant(client, tenantId);
  await client.query(
    `with put_off as (
       update frame_queue set available_at = clock_timestamp() + $4 * interval '1 millisecond'
       where tenant_id = $1 and ingestion_id = $2 and number = $3
     )
     update frames set is_begun = false, failures = least(failures + $5, 1000),
       interruptions = least(interruptions + $6, 1000),
       file_fault = case when $8 then file_fault else $7 end
     where tenant_id = $1 and ingestion_id = $2 and number = $3`,
    [
      tenantId,
      ingestionId,
      number,
      delayMs,
      tried === 'failure' ? 1 : 0,
      tried === 'interruption' ? 1 : 0,
      fileFault,
      tried === 'nothing',
    ],
  );
}

/** Milliseconds until the next frame that was put off may be claimed; `undefined` when there is none. */
export async function msUntilNextFrame(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ delay: number | null }>(
    `select extract(epoch from min(available_at) - clock_timestamp())::float8 * 1000 as delay
     from frame_queue where available_at > clock_timestamp()`,
  );
  return rows[0]?.delay ?? undefined;
}
