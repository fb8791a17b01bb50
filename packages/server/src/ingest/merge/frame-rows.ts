import type { DetectionFinding } from '@sluice/ocsf';
import { byId } from '../../lib/by-id.ts';
import { derivedIdBytes } from '../../lib/derived-id.ts';
import type { ReadRecord } from '../worker/read-records.ts';
import { combineRows, type FindingHistory } from './combine-rows.ts';
import { CopyWriter, hexOf, uuidBytes } from './copy-writer.ts';
import type { CheckReference } from './ensure-checks.ts';
import type { FacetReference } from './ensure-facets.ts';
import type { ResourceReference } from './ensure-resources.ts';
import { linksOf, type ResourceLink } from './finding-resources.ts';
import { type CountChanges, newCountCode } from './finding-totals.ts';
import type { FrameReferences } from './frame-references.ts';
import type { ScanChange } from './merge-findings.ts';
import { PREVIOUS_COLUMNS, previousTexts } from './previous-layout.ts';
import { hasPattern } from './uid-pattern.ts';

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

/**
 * The columns of a frame's rows with their types. `hasPreviousLayout` is whether `findings` has the previous layout.
 */
export function incomingColumns(hasPreviousLayout: boolean): readonly (readonly [string, string])[] {
  return [...HEAD_COLUMNS, ...(hasPreviousLayout ? PREVIOUS_COLUMNS : []), ...TAIL_COLUMNS];
}

/** Typical size of a row; the buffer grows if rows are longer. */
const ROW_BYTES = 350;

/** A finding of the frame: its newest record, combined with the history from older records. */
interface Row extends FindingHistory {
  /** The 16 bytes of the id, as one character per byte. */
  readonly id: string;
  readonly uid: string;
  readonly providerId: string;
  readonly scanId: string;
  readonly severity: DetectionFinding['severity'];
  /** Position of the columns that have already been written. */
  readonly start: number;
  readonly end: number;
  /** Offset of the record in its frame. */
  readonly offset: number;
  readonly check: CheckReference;
  readonly facet: FacetReference;
  /** The resources of the record. The first one is part of the finding's identity. */
  readonly resource: ResourceReference | null;
  readonly others: readonly ResourceReference[];
}

/**
 * The id of a record's finding, as 16 bytes with one character per byte. The provider id identifies tenant and account.
 * U+0000 cannot occur in a value: it was replaced when the record was read.
 */
export function findingId(providerId: string, { checkId, uid, resources }: DetectionFinding): string {
  return derivedIdBytes(`${providerId}\0${checkId}\0${uid}\0${resources[0]?.uid ?? ''}`);
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
export class FrameRows {
  readonly #written: CopyWriter;
  readonly #rows = new Map<string, Row>();
  readonly #duplicates: Duplicate[] = [];
  readonly #references: FrameReferences;
  readonly #hasPreviousLayout: boolean;

  /** `records` is the expected number of records. */
  constructor(records: number, references: FrameReferences, hasPreviousLayout: boolean) {
    this.#written = new CopyWriter(records * ROW_BYTES);
    this.#references = references;
    this.#hasPreviousLayout = hasPreviousLayout;
  }

  /** Number of distinct findings. */
  get count(): number {
    return this.#rows.size;
  }

  /** Adds a record of a new finding or of a finding that already has a row. */
  add(providerId: string, scanId: string, record: ReadRecord): void {
    const { finding, recordIndex, offset } = record;
    const { uid, status, time } = finding;
    const references = this.#references;
    const id = findingId(providerId, finding);
    const { start, end } = this.#write(id, providerId, scanId, record);
    const row: Row = {
      id,
      uid,
      providerId,
      scanId,
      severity: finding.severity,
      start,
      end,
      time,
      status,
      muted: finding.muted,
      recordIndex,
      offset,
      firstSeenAt: time,
      statusChangedAt: time,
      otherStatusAt: null,
      check: references.check(finding),
      facet: references.facet(finding),
      resource: references.resource(providerId, finding.resources[0], finding),
      others: references.others(providerId, finding),
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

  /** The uid of the finding with this id. */
  uidOf(id: string): string {
    const row = this.#rows.get(uuidBytes(id));
    if (row === undefined) throw new Error(`the frame has no finding ${id}`);
    return row.uid;
  }

  /** The links to all resources of findings except the first. */
  links(): readonly ResourceLink[] {
    return [...this.#rows.values()]
      .filter(({ others }) => others.length > 0)
      .flatMap(({ id, recordIndex, resource, others }) => linksOf(hexOf(id), recordIndex, resource, others));
  }

  /** The ids of the findings, with one character per byte. */
  get ids(): readonly string[] {
    return [...this.#rows.keys()];
  }

  /** The numbers of findings of each provider, as if all of them were new. The references must have their keys. */
  counts(): readonly CountChanges[] {
    const byProvider = new Map<string, Map<string, { row: Row; count: number }>>();
    for (const row of this.#rows.values()) {
      const counts = byProvider.get(row.providerId) ?? new Map<string, { row: Row; count: number }>();
      byProvider.set(row.providerId, counts);
      const key = `${keyOf(row.check)},${keyOf(row.facet)},${newCountCode(row)}`;
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { row, count: 1 });
      else known.count++;
    }
    return Array.from(byProvider, ([providerId, counts]) => {
      const counted = [...counts.values()];
      return {
        providerId,
        checkKeys: counted.map(({ row }) => keyOf(row.check)),
        facetKeys: counted.map(({ row }) => keyOf(row.facet)),
        codes: counted.map(({ row }) => newCountCode(row)),
        counts: counted.map(({ count }) => count),
      };
    });
  }

  /** The changes of the scans, as if all findings were new. */
  scanChanges(): readonly ScanChange[] {
    const counts = new Map<string, number>();
    for (const { scanId } of this.#rows.values()) counts.set(scanId, (counts.get(scanId) ?? 0) + 1);
    return Array.from(counts, ([scanId, newFindings]) => ({ scanId, newFindings, changedFindings: 0 }));
  }

  /**
   * Passes all rows to `work` in COPY format, ordered by finding id. Releases their memory if `work` succeeds; if it
   * fails, a socket may still be sending them. The references must have their keys. No rows can be added afterwards.
   */
  async copy(work: (rows: Buffer) => Promise<void>): Promise<void> {
    const sorted = this.#sorted();
    await work(sorted.end());
    sorted.release();
  }

  #write(
    id: string,
    providerId: string,
    scanId: string,
    { finding, recordIndex, offset, bytes }: ReadRecord,
  ): { readonly start: number; readonly end: number } {
    const writer = this.#written;
    const start = writer.length;
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
    return { start, end: writer.length };
  }

  #sorted(): CopyWriter {
    // Sorting here is cheaper than in PostgreSQL, which would have to unpack and copy each row.
    const sorted = [...this.#rows.values()].sort(byId);
    const writer = new CopyWriter(this.#written.length);
    for (const row of sorted) {
      const { check, facet, resource } = row;
      const uid = hasPattern(row.uid, check.checkId, resource?.storedPattern ?? null) ? null : row.uid;
      writer.reserve(row.end - row.start, TAIL_COLUMNS.length, [uid]);
      writer.copy(this.#written, row.start, row.end);
      writer.timestamp(row.firstSeenAt);
      writer.timestamp(row.statusChangedAt);
      writer.timestamp(row.otherStatusAt);
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

function keyOf({ key }: { readonly key: number }): number {
  if (key === 0) throw new Error('a finding refers to a row without a key');
  return key;
}
