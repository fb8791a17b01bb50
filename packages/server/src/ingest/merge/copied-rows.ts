import type pg from 'pg';
import type { ReadRecord } from '../worker/read-records.ts';
import { historyOf } from './combine-rows.ts';
import { CopyWriter, copyInto } from './copy-writer.ts';
import { keyOf, type Row, type RowWriter, storedUid } from './frame-rows.ts';
import { PREVIOUS_COLUMNS, previousTexts } from './previous-layout.ts';

/** The columns of a frame's rows with their types, in the order in which they are written. */
const HEAD_COLUMNS = [
  ['id', 'uuid'],
  ['provider_id', 'uuid'],
  ['scan_id', 'uuid'],
  ['record_index', 'bigint'],
  ['record_offset', 'integer'],
  ['record_bytes', 'integer'],
  ['status', 'finding_status'],
  ['severity', 'smallint'],
  ['muted', 'boolean'],
  ['last_seen_at', 'timestamptz'],
  ['status_detail', 'text'],
] as const;
/**
 * Columns whose values are not known until all records of the frame have been read and the rows they refer to exist.
 */
const TAIL_COLUMNS = [
  ['first_seen_at', 'timestamptz'],
  ['status_changed_at', 'timestamptz'],
  ['other_status_at', 'timestamptz'],
  ['check_key', 'bigint'],
  ['facet_key', 'bigint'],
  ['resource_key', 'bigint'],
  ['uid', 'text'],
] as const;

/** `hasPreviousLayout` is whether `findings` has the previous layout. */
function columns(hasPreviousLayout: boolean): readonly (readonly [name: string, type: string])[] {
  return [...HEAD_COLUMNS, ...(hasPreviousLayout ? PREVIOUS_COLUMNS : []), ...TAIL_COLUMNS];
}

/** The names of the columns of a frame's rows. */
export function rowNames(hasPreviousLayout: boolean): readonly string[] {
  return columns(hasPreviousLayout).map(([name]) => name);
}

/**
 * SQL that creates the temporary table for the rows of a frame. Each connection needs it, because PostgreSQL rejects
 * COPY into a table with row level security.
 */
export function createIncoming(hasPreviousLayout: boolean): string {
  const types = columns(hasPreviousLayout).map((column) => column.join(' '));
  return `create temporary table incoming (${types.join(', ')}) on commit delete rows`;
}

/** Typical size of a row; the buffer grows if rows are longer. */
const ROW_BYTES = 350;

/**
 * Writes the rows of a frame in the binary format of COPY. PostgreSQL does not have to parse this format, so it is
 * twice as fast as text (measured).
 */
export class CopiedRows implements RowWriter {
  readonly #written: CopyWriter;
  /** Where each row starts. */
  readonly #starts: number[] = [];
  readonly #hasPreviousLayout: boolean;

  /** `records` is the expected number of records. */
  constructor(records: number, hasPreviousLayout: boolean) {
    this.#written = new CopyWriter(records * ROW_BYTES);
    this.#hasPreviousLayout = hasPreviousLayout;
  }

  begin(
    id: string,
    providerId: string,
    scanId: string,
    { finding, recordIndex, offset, bytes }: ReadRecord,
  ): void {
    const writer = this.#written;
    this.#starts.push(writer.length);
    const previous = this.#hasPreviousLayout ? previousTexts(finding) : [];
    writer.beginRow(HEAD_COLUMNS.length + previous.length + TAIL_COLUMNS.length, [
      finding.statusDetail,
      ...previous,
    ]);
    writer.uuid(id);
    writer.uuidText(providerId);
    writer.uuidText(scanId);
    writer.int64(recordIndex);
    writer.int32(offset);
    writer.int32(bytes);
    writer.text(finding.status);
    writer.int16(finding.severity);
    writer.boolean(finding.muted);
    writer.timestamp(finding.time);
    writer.text(finding.statusDetail);
    for (const text of previous) writer.text(text);
  }

  /** Copies the rows into the table `incoming`. */
  async send(client: pg.Client, rows: readonly Row[]): Promise<readonly unknown[]> {
    const writer = this.#complete(rows);
    await copyInto(client, 'incoming', rowNames(this.#hasPreviousLayout).join(', '), writer.end());
    // Not after an error: a socket may still be sending the bytes.
    writer.release();
    return [];
  }

  #complete(rows: readonly Row[]): CopyWriter {
    const writer = new CopyWriter(this.#written.length);
    for (const row of rows) {
      const { place, check, facet, resource } = row;
      const start = this.#starts[place] ?? 0;
      const end = this.#starts[place + 1] ?? this.#written.length;
      const uid = storedUid(row);
      writer.reserve(end - start, TAIL_COLUMNS.length, [uid]);
      writer.copy(this.#written, start, end);
      const { firstSeenAt, statusChangedAt, otherStatusAt } = historyOf(row);
      writer.timestamp(firstSeenAt);
      writer.timestamp(statusChangedAt);
      writer.timestamp(otherStatusAt);
      writer.int64(keyOf(check));
      writer.int64(keyOf(facet));
      if (resource === null) writer.null();
      else writer.int64(keyOf(resource));
      writer.text(uid);
    }
    this.#written.release();
    return writer;
  }
}
