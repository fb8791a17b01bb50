import type pg from 'pg';
import { isDistributed } from '../../db/distribution.ts';
import { onlyRow } from '../../db/only-row.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { CopiedRows, createIncoming } from './copied-rows.ts';
import { hexOf } from './copy-writer.ts';
import { linkResources } from './finding-resources.ts';
import { type CountChanges, insertChanges } from './finding-totals.ts';
import type { Duplicate, FrameRows, RowWriter } from './frame-rows.ts';
import { insertIfAllNew } from './insert-if-all-new.ts';
import { type MergeStatements, type MergeTarget, mergeStatements } from './merge-statements.ts';
import { PackedRows } from './packed-rows.ts';
import { CREATE_FINDING_CHANGES, hasPreviousLayout } from './previous-layout.ts';

/** A dropped duplicate with the number of its frame. */
export interface DuplicateRecord extends Duplicate {
  readonly frame: number;
}

/** How many findings of a scan are new or changed, according to one frame. */
export interface ScanChange {
  readonly scanId: string;
  readonly newFindings: number;
  readonly changedFindings: number;
}

interface MergedFrame {
  readonly duplicates: readonly DuplicateRecord[];
  readonly scanChanges: readonly ScanChange[];
}

/** Merges the rows of frames into the findings. */
export class FindingMerge {
  readonly hasPreviousLayout: boolean;
  readonly #target: MergeTarget;
  readonly #statements: MergeStatements;

  private constructor(target: MergeTarget) {
    this.hasPreviousLayout = target.hasPreviousLayout;
    this.#target = target;
    this.#statements = mergeStatements(target);
  }

  /** Creates the temporary tables that this connection needs to merge frames. */
  static async open(client: pg.Client): Promise<FindingMerge> {
    const target = {
      hasPreviousLayout: await hasPreviousLayout(client),
      isDistributed: isDistributed(client),
    };
    if (!target.isDistributed) await client.query(createIncoming(target.hasPreviousLayout));
    if (target.hasPreviousLayout) await client.query(CREATE_FINDING_CHANGES);
    return new FindingMerge(target);
  }

  /** Writes the rows of a frame for `merge`. `records` is their expected number. */
  createWriter(records: number): RowWriter {
    return this.#target.isDistributed ? new PackedRows() : new CopiedRows(records, this.hasPreviousLayout);
  }

  /**
   * Merges a frame's rows (one per finding) into the findings, in the open transaction. The result does not depend on
   * the order in which frames are merged; the migrations document the columns. Returns the duplicates that were
   * dropped and the change of each scan's counts.
   */
  async merge(client: pg.Client, frame: ClaimedFrame, rows: FrameRows): Promise<MergedFrame> {
    if (rows.count === 0) return { duplicates: [], scanChanges: [] };
    const values = await rows.send(client);
    const merged =
      (await this.#insert(client, frame, rows, values)) ??
      (await this.#mergeKnown(client, frame, rows, values));
    await linkResources(client, frame, rows);
    return merged;
  }

  /** Returns `undefined`, and changes nothing, unless all findings are new. */
  async #insert(
    client: pg.Client,
    { tenantId, ingestionId, number }: ClaimedFrame,
    rows: FrameRows,
    values: readonly unknown[],
  ): Promise<MergedFrame | undefined> {
    const parameters = [tenantId, ingestionId, number, ...values];
    const inserted = await insertIfAllNew(client, tenantId, {
      table: 'findings',
      ids: rows.ids,
      insert: () => client.query(this.#statements.insertNew, parameters),
    });
    if (inserted?.rowCount !== rows.count) return undefined;
    await insertChanges(client, tenantId, rows.counts());
    return { duplicates: [], scanChanges: rows.scanChanges() };
  }

  async #mergeKnown(
    client: pg.Client,
    { tenantId, ingestionId, number }: ClaimedFrame,
    rows: FrameRows,
    values: readonly unknown[],
  ): Promise<MergedFrame> {
    const { mergeNewer, readNewer, mergeOlder } = this.#statements;
    const frame = [tenantId, ingestionId, number];
    const merged = await client.query<MergedNewer>(mergeNewer, [...frame, ...values]);
    const newer = onlyRow(
      readNewer === undefined
        ? merged
        : await client.query<MergedNewer>(readNewer, [...frame, rows.ids.map(hexOf)]),
    );
    await insertChanges(client, tenantId, newer.changes ?? []);
    const { count, replaced, scanChanges } = newer;
    const withUid = (duplicate: ReplacedRecord) => ({ ...duplicate, uid: rows.uidOf(duplicate.id) });
    const duplicates = replaced.map(withUid);
    if (count === rows.count) return { duplicates, scanChanges };
    const older = onlyRow(await client.query<MergedOlder>(mergeOlder, [...frame, ...values]));
    await insertChanges(client, tenantId, older.changes ?? []);
    return { duplicates: [...duplicates, ...older.dropped.map(withUid)], scanChanges };
  }
}

type ReplacedRecord = Omit<DuplicateRecord, 'uid'> & { readonly id: string };

/** The result of a statement of `withChanges`. */
interface Merged {
  /** The changes of counts, unless the statement has recorded them. */
  readonly changes?: readonly CountChanges[];
}

interface MergedNewer extends Merged {
  /** Number of findings that have the state of this frame's record. */
  readonly count: number;
  readonly replaced: readonly ReplacedRecord[];
  readonly scanChanges: readonly ScanChange[];
}

interface MergedOlder extends Merged {
  readonly dropped: readonly ReplacedRecord[];
}
