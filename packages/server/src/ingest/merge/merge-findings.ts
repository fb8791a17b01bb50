import type pg from 'pg';
import { isDistributed } from '../../db/distribution.ts';
import { onlyRow } from '../../db/only-row.ts';
import { withHashJoins } from '../../db/planner-settings.ts';
import type { Timeline } from '../changes/place-record.ts';
import { queryTimelines, type Timelines } from '../changes/timelines.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { CopiedRows, createIncoming } from './copied-rows.ts';
import { insertLinks, replaceLinks } from './finding-resources.ts';
import { type CountChanges, insertChanges } from './finding-totals.ts';
import type { Duplicate, FrameRows, RowWriter } from './frame-rows.ts';
import { insertIfAllNew } from './insert-if-all-new.ts';
import { type MergeStatements, type MergeTarget, mergeStatements } from './merge-statements.ts';
import { PackedRows } from './packed-rows.ts';
import { CREATE_FINDING_CHANGES, hasPreviousLayout } from './previous-layout.ts';
import { combineReturned, readReturned } from './returned-findings.ts';

/** A dropped duplicate with the number of its frame. */
export interface DuplicateRecord extends Duplicate {
  readonly frame: number;
}

/** The result of a merge. Unless otherwise stated, ids are in hexadecimal, with or without hyphens. */
export interface MergedFrame {
  /** Whether all findings are new. */
  readonly areAllNew: boolean;
  readonly duplicates: readonly DuplicateRecord[];
  /**
   * Findings whose record is now their newest: those that it changes, with their prior state. By id with one character per
   * byte.
   */
  readonly priorStates: Pick<ReadonlyMap<string, number | null>, 'has' | 'get'>;
  /** Of the findings that have a newer record, before the merge. */
  readonly late: Timelines;
  readonly replaced: readonly ReplacedRecord[];
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
   * the order in which frames are merged; the migrations document the columns. Calls `prepare` before the merge unless all
   * findings are new.
   */
  async merge(
    client: pg.Client,
    frame: ClaimedFrame,
    rows: FrameRows,
    prepare: () => Promise<void>,
  ): Promise<MergedFrame> {
    if (rows.count === 0) return NOTHING;
    const values = await rows.send(client);
    const inserted = await this.#insert(client, frame, rows, values);
    if (inserted !== undefined) {
      await insertLinks(client, frame, rows.links());
      return inserted;
    }
    await prepare();
    const merged = await this.#mergeKnown(client, frame, rows, values);
    await replaceLinks(client, frame, rows);
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
    return { ...NOTHING, priorStates: ALL_NEW };
  }

  async #mergeKnown(
    client: pg.Client,
    { tenantId, ingestionId, number }: ClaimedFrame,
    rows: FrameRows,
    values: readonly unknown[],
  ): Promise<MergedFrame> {
    const { mergeNewer, readLate, mergeOlder } = this.#statements;
    const frame = [tenantId, ingestionId, number];
    const result = await client.query(mergeNewer, [...frame, ...values]);
    const returned = readReturned(result, this.#target.isDistributed);
    const newer = combineReturned(rows, returned);
    await insertChanges(client, tenantId, newer.changes);
    const withUid = (duplicate: Replacement) => ({ ...duplicate, uid: rows.rowOf(duplicate.id).uid });
    const merged = {
      areAllNew: false,
      duplicates: newer.replaced.filter(({ isDuplicate }) => isDuplicate).map(withUid),
      priorStates: newer.priorStates,
      replaced: newer.replaced,
      late: new Map<string, Timeline>(),
    };
    if (returned.count === rows.count) return merged;
    const withIds = [...frame, rows.hexIds, ...values];
    const late = await queryTimelines(client, readLate, withIds);
    const older = onlyRow(await withHashJoins(client, () => client.query<MergedOlder>(mergeOlder, withIds)));
    await insertChanges(client, tenantId, older.changes ?? []);
    return {
      ...merged,
      duplicates: [...merged.duplicates, ...older.dropped.map(withUid)],
      late,
    };
  }
}

const ALL_NEW: MergedFrame['priorStates'] = { has: () => true, get: () => null };
/** A frame without findings, which cannot have missed any records of theirs. */
const NOTHING: MergedFrame = {
  areAllNew: true,
  duplicates: [],
  priorStates: new Map(),
  late: new Map(),
  replaced: [],
};

/** A record that another one of the same upload and finding replaces. */
interface Replacement {
  readonly id: string;
  readonly frame: number;
  readonly offset: number;
  readonly recordIndex: number;
  /** Index of the record that was kept. */
  readonly kept: number;
}

/** A record of an earlier frame that one of this frame replaces. */
export interface ReplacedRecord extends Replacement {
  readonly isDuplicate: boolean;
  readonly scanId: string;
  /** `finding_state_code` */
  readonly state: number;
  readonly prior: number | null;
  /** Whether the new record is not older than the resolution of the replaced one. Null if that was not resolved. */
  readonly followsResolution: boolean | null;
}

/** The result of `mergeOlder`. */
interface MergedOlder {
  /** The changes of counts, unless the statement has recorded them. */
  readonly changes?: readonly CountChanges[];
  readonly dropped: readonly Replacement[];
}
