import type { DetectionFinding, FindingStatus } from '@sluice/ocsf';
import { derivedIdBytes } from '../../lib/derived-id.ts';
import type { ReadRecord } from '../worker/read-records.ts';
import { CopyWriter, uuidBytes } from './copy-writer.ts';

/** The columns of a frame's rows with their types, in the order in which they are written. */
export const INCOMING_COLUMNS = [
  ['id', 'uuid'],
  ['provider_id', 'uuid'],
  ['record_index', 'bigint'],
  ['record_offset', 'integer'],
  ['record_bytes', 'integer'],
  ['status', 'finding_status'],
  ['severity', 'smallint'],
  ['muted', 'boolean'],
  ['last_seen_at', 'timestamptz'],
  ['check_id', 'text'],
  ['uid', 'text'],
  ['resource_uid', 'text'],
  ['resource_name', 'text'],
  ['resource_type', 'text'],
  ['region', 'text'],
  ['service', 'text'],
  ['scan_uid', 'text'],
  ['status_detail', 'text'],
  // Older records of the same finding in the frame may still change these columns, so they are written last.
  ['first_seen_at', 'timestamptz'],
  ['status_changed_at', 'timestamptz'],
  ['other_status_at', 'timestamptz'],
] as const;

/** Typical size of a row; the buffer grows if rows are longer. */
const ROW_BYTES = 600;
/** Size of the last three columns, in bytes. Each consists of a length and a timestamp. */
const TAIL_BYTES = 36;

/** The history of a finding according to its records in one frame. Times are in milliseconds since 1970. */
export interface FindingHistory {
  /** Time of the newest record. */
  readonly time: number;
  readonly status: FindingStatus;
  readonly muted: boolean;
  readonly recordIndex: number;
  readonly firstSeenAt: number;
  readonly statusChangedAt: number;
  readonly otherStatusAt: number | null;
}

/** A finding of the frame: its newest record, combined with the history from older records. */
interface Row extends FindingHistory {
  /** The 16 bytes of the id, as one character per byte. */
  readonly id: string;
  /** Position of the columns that have already been written. */
  readonly start: number;
  readonly end: number;
  /** Offset of the record in its frame. */
  readonly offset: number;
}

/** A record that was dropped because another record of the same upload has the same finding and time. */
export interface Duplicate {
  /** Byte offset in the record's frame. */
  readonly offset: number;
  /** Index in the file. */
  readonly recordIndex: number;
  /** Index of the record that was kept. */
  readonly kept: number;
  readonly uid: string;
}

/**
 * The findings of a frame, one row each, in the binary format of COPY. PostgreSQL does not have to parse this format,
 * so it is twice as fast as text (measured). Each record is written immediately and not retained: objects that live
 * until the end of a frame keep the garbage collector busy.
 */
export class CopyRows {
  readonly #written: CopyWriter;
  readonly #rows = new Map<string, Row>();
  readonly #duplicates: Duplicate[] = [];
  /** Cached, because records of one account are usually adjacent. */
  #providerId = '';
  #providerBytes = '';

  /** `records` is the expected number of records. */
  constructor(records: number) {
    this.#written = new CopyWriter(records * ROW_BYTES);
  }

  /** Number of distinct findings. */
  get count(): number {
    return this.#rows.size;
  }

  /** Adds a record of a new finding or of a finding that already has a row. */
  add(providerId: string, { finding, recordIndex, offset, bytes }: ReadRecord): void {
    const { checkId, uid, resourceUid, status, time } = finding;
    // U+0000 cannot occur in a value: it was replaced when the record was read. The provider id identifies tenant and
    // account.
    const id = derivedIdBytes(`${providerId}\0${checkId}\0${uid}\0${resourceUid ?? ''}`);
    if (providerId !== this.#providerId) {
      this.#providerId = providerId;
      this.#providerBytes = uuidBytes(providerId);
    }
    const writer = this.#written;
    const start = writer.length;
    const texts = textsOf(finding);
    writer.beginRow(INCOMING_COLUMNS.length, texts);
    writer.uuid(id);
    writer.uuid(this.#providerBytes);
    writer.int64(recordIndex);
    writer.int32(offset);
    writer.int32(bytes);
    writer.text(status);
    writer.int16(finding.severity);
    writer.boolean(finding.muted);
    writer.timestamp(time);
    for (const text of texts) writer.text(text);
    const row: Row = {
      id,
      start,
      end: writer.length,
      time,
      status,
      muted: finding.muted,
      recordIndex,
      offset,
      firstSeenAt: time,
      statusChangedAt: time,
      otherStatusAt: null,
    };
    const known = this.#rows.get(id);
    if (known === undefined) {
      this.#rows.set(id, row);
      return;
    }
    const combined = combineRows(known, row);
    this.#rows.set(id, combined);
    if (known.time !== time) return;
    const dropped = combined.recordIndex === recordIndex ? known : row;
    this.#duplicates.push({
      offset: dropped.offset,
      recordIndex: dropped.recordIndex,
      kept: combined.recordIndex,
      uid,
    });
  }

  /** The duplicates, in the order in which they were found. */
  get duplicates(): readonly Duplicate[] {
    return this.#duplicates;
  }

  /** A sample of the finding ids, in hexadecimal, spread evenly over the frame. */
  someIds(max: number): readonly string[] {
    const step = Math.ceil(this.#rows.size / max);
    return [...this.#rows.keys()]
      .filter((_, position) => position % step === 0)
      .map((id) => Buffer.from(id, 'latin1').toString('hex'));
  }

  /**
   * Passes all rows to `work` in COPY format, ordered by finding id. Releases their memory if `work` succeeds; if it
   * fails, a socket may still be sending them. No rows can be added afterwards.
   */
  async copy(work: (rows: Buffer) => Promise<void>): Promise<void> {
    const sorted = this.#sorted();
    await work(sorted.end());
    sorted.release();
  }

  #sorted(): CopyWriter {
    // Sorting here is cheaper than in PostgreSQL, which would have to unpack and copy each row.
    const sorted = [...this.#rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const writer = new CopyWriter(this.#written.length + sorted.length * TAIL_BYTES);
    for (const row of sorted) {
      writer.copy(this.#written, row.start, row.end);
      writer.timestamp(row.firstSeenAt);
      writer.timestamp(row.statusChangedAt);
      writer.timestamp(row.otherStatusAt);
    }
    this.#written.release();
    return writer;
  }
}

function textsOf(finding: DetectionFinding): readonly (string | null)[] {
  return [
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
}

/**
 * Combines two rows of the same finding in one frame. The newer record (by time, then result, then position) determines
 * the finding's state. The status dates from the earliest record with that status after the latest record with a
 * different status. `merge-findings.ts` applies the same rule with SQL to rows from different frames.
 */
export function combineRows<Row extends FindingHistory>(a: Row, b: Row): Row {
  const aIsNewer = (a.time - b.time || rankOf(a) - rankOf(b) || a.recordIndex - b.recordIndex) > 0;
  const [newer, older] = aIsNewer ? [a, b] : [b, a];
  const sameStatus = newer.status === older.status;
  const otherStatusAt = latest(newer.otherStatusAt, sameStatus ? older.otherStatusAt : older.time);
  const sameSince = [newer.statusChangedAt, ...(sameStatus ? [older.statusChangedAt, older.time] : [])];
  const afterOther = sameSince.filter((time) => otherStatusAt === null || time > otherStatusAt);
  return {
    ...newer,
    firstSeenAt: Math.min(newer.firstSeenAt, older.firstSeenAt),
    statusChangedAt: Math.min(newer.time, ...afterOther),
    otherStatusAt,
  };
}

function latest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

/**
 * If two results in one upload have the same time, the more severe wins. The order is FAIL, MANUAL, PASS, and unmuted
 * before muted.
 */
const STATUS_RANKS = { FAIL: 4, MANUAL: 2, PASS: 0 } as const;

function rankOf({ status, muted }: FindingHistory): number {
  return STATUS_RANKS[status] + (muted ? 0 : 1);
}

/** SQL expression for the rank of a row. */
export function rankSql(row: string): string {
  const whens = Object.entries(STATUS_RANKS).map(([status, rank]) => `when '${status}' then ${rank}`);
  return `(case ${row}.status ${whens.join(' ')} end + (not ${row}.muted)::int)`;
}
