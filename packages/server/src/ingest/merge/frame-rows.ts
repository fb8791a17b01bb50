import type { DetectionFinding } from '@sluice/ocsf';
import type pg from 'pg';
import { byId } from '../../lib/by-id.ts';
import { derivedIdBytes } from '../../lib/derived-id.ts';
import type { ReadRecord } from '../worker/read-records.ts';
import { combineRows, type NewestRecord } from './combine-rows.ts';
import { hexOf, hexOfEach, uuidBytes } from './copy-writer.ts';
import { CountSums } from './count-sums.ts';
import type { CheckReference } from './ensure-checks.ts';
import type { FacetReference } from './ensure-facets.ts';
import type { ResourceReference } from './ensure-resources.ts';
import { linksOf, type ResourceLink } from './finding-resources.ts';
import { type CountChanges, newCountCode } from './finding-totals.ts';
import type { FrameReferences } from './frame-references.ts';
import { hasPattern } from './uid-pattern.ts';

/** A finding of the frame: its newest record, combined with the history from older records. */
export interface Row extends NewestRecord {
  /** The 16 bytes of the id, as one character per byte. */
  readonly id: string;
  readonly uid: string;
  readonly providerId: string;
  readonly scanId: string;
  readonly severity: DetectionFinding['severity'];
  /** Number of the row among all that the frame's writer has begun, from 0. */
  readonly place: number;
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

/** Encodes the rows of a frame for PostgreSQL. */
export interface RowWriter {
  /**
   * Begins a row with the values of its record, which are written immediately and not retained: objects that live until
   * the end of a frame keep the garbage collector busy.
   */
  readonly begin: (id: string, providerId: string, scanId: string, record: ReadRecord) => void;
  /**
   * Completes these of the rows, and sends them in this order. Their references must have their keys. Returns the
   * parameters of statements that read the rows. No rows can be begun afterwards.
   */
  readonly send: (client: pg.Client, rows: readonly Row[]) => Promise<readonly unknown[]>;
}

/** The findings of a frame, one row each. */
export class FrameRows {
  readonly #writer: RowWriter;
  readonly #rows = new Map<string, Row>();
  readonly #duplicates: Duplicate[] = [];
  readonly #references: FrameReferences;
  /** Number of records added so far. */
  #added = 0;
  /** Index of the first record in the file. */
  #firstRecord = 0;

  constructor(writer: RowWriter, references: FrameReferences) {
    this.#writer = writer;
    this.#references = references;
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
    if (this.#added === 0) this.#firstRecord = recordIndex;
    const id = findingId(providerId, finding);
    this.#writer.begin(id, providerId, scanId, record);
    const row: Row = {
      id,
      uid,
      providerId,
      scanId,
      severity: finding.severity,
      place: this.#added++,
      time,
      status,
      muted: finding.muted,
      recordIndex,
      offset,
      history: null,
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

  /** The links to all resources of findings except the first. */
  links(): readonly ResourceLink[] {
    return [...this.#rows.values()]
      .filter(({ others }) => others.length > 0)
      .flatMap(({ id, recordIndex, resource, others }) => linksOf(hexOf(id), recordIndex, resource, others));
  }

  values(): Iterable<Row> {
    return this.#rows.values();
  }

  /** The row of the finding with this id, in hexadecimal. */
  rowOf(id: string): Row {
    const row = this.#rows.get(uuidBytes(id));
    if (row === undefined) throw new Error(`the frame has no finding ${id}`);
    return row;
  }

  /** Returns a function that returns the row with this record. */
  rowOfEach(): (recordIndex: number) => Row {
    // An array is several times faster than a map. Records are added in the order of the file.
    const first = this.#firstRecord;
    const rows: Row[] = [];
    for (const row of this.#rows.values()) rows[row.recordIndex - first] = row;
    return (recordIndex) => {
      const row = rows[recordIndex - first];
      if (row === undefined) throw new Error(`the frame has no row of record ${recordIndex}`);
      return row;
    };
  }

  /** The ids of the findings, with one character per byte. */
  get ids(): readonly string[] {
    return [...this.#rows.keys()];
  }

  /** The ids of the findings, in hexadecimal without hyphens, in the order of the rows. */
  get hexIds(): readonly string[] {
    const { ids } = this;
    const hexIdOf = hexOfEach(ids);
    return ids.map((_, at) => hexIdOf(at));
  }

  /** The numbers of findings of each provider, as if all of them were new. The references must have their keys. */
  counts(): readonly CountChanges[] {
    const sums = new CountSums();
    for (const row of this.#rows.values())
      sums.add(row.providerId, keyOf(row.check), keyOf(row.facet), newCountCode(row), 1);
    return sums.values();
  }

  /**
   * Sends all rows, ordered by finding id. Sorting here is cheaper than in PostgreSQL, which would have to unpack and
   * copy each row.
   */
  async send(client: pg.Client): Promise<readonly unknown[]> {
    return await this.#writer.send(client, [...this.#rows.values()].sort(byId));
  }
}

/** The uid to store for a row; null if it follows from its check and the pattern of its resource. */
export function storedUid({ uid, check, resource }: Row): string | null {
  return hasPattern(uid, check.checkId, resource?.uidPattern ?? null) ? null : uid;
}

export function keyOf({ key }: { readonly key: number }): number {
  if (key === 0) throw new Error('a finding refers to a row without a key');
  return key;
}
