import type { Queryable } from '../../db/transaction.ts';
import type { DuplicateRecord } from '../merge/merge-findings.ts';
import type { FrameJob } from './claim.ts';
import type { JobProblem } from './job-problem.ts';

/**
 * Returns a warning for each record that was dropped because another record of the upload has the same finding and
 * time.
 */
export async function duplicateWarnings(
  client: Queryable,
  { tenantId, ingestionId, number, byteOffset }: FrameJob,
  duplicates: readonly DuplicateRecord[],
): Promise<readonly JobProblem[]> {
  const starts = new Map([[number, byteOffset]]);
  const others = [...new Set(duplicates.map(({ frame }) => frame))].filter((frame) => frame !== number);
  if (others.length > 0) {
    const { rows } = await client.query<{ number: number; start: number }>(
      `select number, byte_offset::float8 as start from frames
       where tenant_id = $1 and ingestion_id = $2 and number = any($3::int[])`,
      [tenantId, ingestionId, others],
    );
    for (const row of rows) starts.set(row.number, row.start);
  }
  return duplicates.map(({ frame, offset, recordIndex, kept, uid }) => ({
    code: 'duplicate_finding',
    byteOffset: (starts.get(frame) ?? 0) + offset,
    recordIndex,
    pointer: '',
    findingUid: uid,
    detail: `Records ${Math.min(recordIndex, kept)} and ${Math.max(recordIndex, kept)} have the same finding and time. Record ${kept} was kept.`,
  }));
}
