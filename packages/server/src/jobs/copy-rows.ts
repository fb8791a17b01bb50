import { CopyWriter } from './copy-writer.ts';
import type { FindingRow } from './finding-row.ts';

/** The columns a frame brings, in the order in which `copyRows` writes them, with their types. */
export const INCOMING_COLUMNS = [
  ['id', 'uuid'],
  ['provider_id', 'uuid'],
  ['record_index', 'bigint'],
  ['record_offset', 'integer'],
  ['record_bytes', 'integer'],
  ['status', 'finding_status'],
  ['severity', 'smallint'],
  ['muted', 'boolean'],
  ['first_seen_at', 'timestamptz'],
  ['last_seen_at', 'timestamptz'],
  ['status_changed_at', 'timestamptz'],
  ['other_status_at', 'timestamptz'],
  ['check_id', 'text'],
  ['uid', 'text'],
  ['resource_uid', 'text'],
  ['resource_name', 'text'],
  ['resource_type', 'text'],
  ['region', 'text'],
  ['service', 'text'],
  ['scan_uid', 'text'],
  ['status_detail', 'text'],
] as const;

/** What a row takes as a rule; the buffer grows where rows are longer. */
const ROW_BYTES = 600;

/**
 * The rows in the binary format of COPY, which PostgreSQL need not parse: measured, in half of the time. Written out by
 * hand, because this is a tenth of a worker's time, and each row into the buffer at once: as texts that lived until the
 * end they kept the garbage collector busy.
 */
export function copyRows(rows: readonly FindingRow[]): Buffer {
  const writer = new CopyWriter(rows.length * ROW_BYTES);
  for (const row of rows) {
    const { finding } = row;
    const texts = [
      finding.checkId,
      finding.uid,
      finding.resourceUid,
      finding.resourceName,
      finding.resourceType,
      finding.region,
      finding.service,
      finding.scanUid,
      finding.statusDetail,
    ];
    writer.beginRow(INCOMING_COLUMNS.length, texts);
    writer.uuid(row.id);
    writer.uuid(row.providerId);
    writer.int64(BigInt(row.recordIndex));
    writer.int32(row.offset);
    writer.int32(row.bytes);
    writer.text(finding.status);
    writer.int16(finding.severity);
    writer.boolean(finding.muted);
    writer.timestamp(row.firstSeenAt);
    writer.timestamp(finding.time);
    writer.timestamp(row.statusChangedAt);
    writer.timestamp(row.otherStatusAt);
    for (const text of texts) writer.text(text);
  }
  return writer.end();
}
