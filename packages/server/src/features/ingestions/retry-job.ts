import type pg from 'pg';
import { asExistingTenant } from '../../auth/operator-commands.ts';
import { recordOperatorEvent } from '../../auth/record-audit-event.ts';
import { FRAMES_CHANNEL } from '../../db/notifications.ts';
import { OperatorError } from '../../lib/errors.ts';
import { INGESTIONS } from '../../resources/ingestions.ts';

export interface RetriedJob {
  readonly id: string;
  /** The frames that were queued again, and their records. */
  readonly frames: number;
  readonly records: number;
}

/**
 * Queues the failed frames of a job again: those that were given up, and those waiting for their stored file. The
 * status of the job becomes `processing`. Frames that were given up keep their counts until they are ingested. Throws
 * an OperatorError if the job does not exist, its file was removed, or none of its frames failed.
 */
export async function retryJob(pool: pg.Pool, tenantId: string, id: string): Promise<RetriedJob> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    const jobs = await client.query<{ blob_removed_at: Date | null }>(
      'select blob_removed_at from ingestions where tenant_id = $1 and id = $2',
      [tenantId, id],
    );
    const [job] = jobs.rows;
    if (job === undefined) throw new OperatorError(`the tenant has no ingestion ${id}`);
    const isRemoved = `the file of ingestion ${id} was removed`;
    if (job.blob_removed_at !== null) throw new OperatorError(isRemoved);
    const ids = [tenantId, id];
    // Takes locks in the same order as the workers: queue, frames, job. Waits for attempts in progress, which may have
    // read the file before it was restored.
    const waiting = await client.query<{ records: number }>(
      `with free as (
         select q.number from frame_queue q
         join frames f on f.tenant_id = $1 and f.ingestion_id = $2 and f.number = q.number and f.file_fault is not null
         where q.tenant_id = $1 and q.ingestion_id = $2 for update of q
       ), rescheduled as (
         update frame_queue q set available_at = clock_timestamp() from free
         where q.tenant_id = $1 and q.ingestion_id = $2 and q.number = free.number
       )
       update frames f set interruptions = 0, failures = 0 from free
       where f.tenant_id = $1 and f.ingestion_id = $2 and f.number = free.number
       returning f.records`,
      ids,
    );
    const failed = await client.query<{ records: number }>(
      `with failed as (
         update frames f set failures = 0, interruptions = 0, is_begun = false, file_fault = null
         where f.tenant_id = $1 and f.ingestion_id = $2 and given_up_as is not null
           and not exists (select from frame_queue q where q.tenant_id = $1 and q.ingestion_id = $2 and q.number = f.number)
         returning f.number, f.records
       ), queued as (
         insert into frame_queue (tenant_id, ingestion_id, number) select $1, $2, number from failed
         on conflict do nothing returning number
       )
       select records from failed join queued using (number)`,
      ids,
    );
    const rows = [...waiting.rows, ...failed.rows];
    if (rows.length === 0) throw new OperatorError(`ingestion ${id} has no failed frames`);
    if (failed.rows.length > 0) {
      const { rowCount } = await client.query(
        `update ingestions set status = 'processing', completed_at = null, frames_done = frames_done - $3
         where tenant_id = $1 and id = $2 and blob_removed_at is null`,
        [...ids, failed.rows.length],
      );
      // In the meantime, garbage collection has removed the file.
      if (rowCount === 0) throw new OperatorError(isRemoved);
    }
    const records = rows.reduce((sum, frame) => sum + frame.records, 0);
    await recordOperatorEvent(client, tenantId, {
      action: 'ingestion.retried',
      targetType: INGESTIONS,
      targetId: id,
      changes: { frames: rows.length, records },
    });
    await client.query(`notify ${FRAMES_CHANNEL}`);
    return { id, frames: rows.length, records };
  });
}
