import type { Queryable } from '../../db/transaction.ts';
import type { DuplicateRecord } from '../merge/merge-findings.ts';
import type { ClaimedFrame, FrameJob } from './claim.ts';
import type { JobProblem } from './finish-frame.ts';
import type { ReadRecord } from './read-records.ts';

/** A dropped duplicate. The uid is null if it is unknown. */
export type DroppedRecord = Omit<DuplicateRecord, 'uid'> & { readonly uid: string | null };

/**
 * Returns a warning for each record that was dropped because another record of the upload has the same finding and
 * time.
 */
export async function duplicateWarnings(
  client: Queryable,
  { tenantId, ingestionId }: Pick<ClaimedFrame, 'tenantId' | 'ingestionId'>,
  duplicates: readonly DroppedRecord[],
): Promise<readonly JobProblem[]> {
  if (duplicates.length === 0) return [];
  const { rows } = await client.query<{ number: number; start: number }>(
    `select number, byte_offset::float8 as start from frames
     where tenant_id = $1 and ingestion_id = $2 and number = any($3::int[])`,
    [tenantId, ingestionId, [...new Set(duplicates.map(({ frame }) => frame))]],
  );
  const starts = new Map(rows.map(({ number, start }) => [number, start]));
  return duplicates.map(({ frame, offset, recordIndex, kept, uid }) => ({
    code: 'duplicate_finding',
    byteOffset: (starts.get(frame) ?? 0) + offset,
    recordIndex,
    pointer: '',
    findingUid: uid,
    detail: `Records ${Math.min(recordIndex, kept)} and ${Math.max(recordIndex, kept)} have the same finding and time. Record ${kept} was kept.`,
  }));
}

/** The warning about a record whose further resources are not stored. */
export function omissionWarning(
  { byteOffset }: FrameJob,
  { finding, recordIndex, offset }: ReadRecord,
  count: number,
): JobProblem {
  return {
    code: 'too_many_resources',
    byteOffset: byteOffset + offset,
    recordIndex,
    pointer: '/resources',
    findingUid: finding.uid,
    detail: `This record and those before it name too many different resources. ${count} resources of this record are not stored.`,
  };
}
