import type { Queryable } from '../../db/transaction.ts';
import type { FrameRows, Row } from '../merge/frame-rows.ts';
import type { MergedFrame } from '../merge/merge-findings.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import type { ChangeCounts } from './change-counts.ts';
import { deleteRecordEvents, type FindingEvent, upsertEvents } from './finding-events.ts';
import { changeOf, type FindingChange, stateCode, unresolved } from './finding-state.ts';
import type { OwnRecords } from './own-records.ts';
import { type AlteredRecord, changeAt, placeRecord, type Timeline, timelineOf } from './place-record.ts';
import { type AlteredResolution, alterResolutions } from './record-resolutions.ts';
import {
  findScanFindings,
  insertScanFindings,
  removeScanFindings,
  type ScanFinding,
  type UnchangedFinding,
} from './scan-findings.ts';

/** How a frame was merged. */
interface MergedRows {
  readonly rows: FrameRows;
  readonly merged: MergedFrame;
  /** As they were before the merge. */
  readonly own: OwnRecords;
}

/**
 * Records how a frame that was just merged changed its findings, in the open transaction: the findings of its scans, and
 * the events. Adds to the counts, which are not stored yet.
 */
export async function recordChanges(
  client: Queryable,
  frame: ClaimedFrame,
  merge: MergedRows,
  counts: ChangeCounts,
): Promise<void> {
  const changes = new FrameChanges(frame, merge, counts);
  for (const [id, row] of merge.rows.byHexId) changes.add(row, id);
  await changes.store(client);
}

class FrameChanges {
  readonly #frame: ClaimedFrame;
  readonly #merge: MergedRows;
  readonly #counts: ChangeCounts;
  /** Findings without an event, except new ones, and all others. */
  readonly #findings = { unchanged: [] as UnchangedFinding[], others: [] as ScanFinding[] };
  /** Findings with another record of the upload, in another scan. */
  readonly #moved: ScanFinding[] = [];
  readonly #events: FindingEvent[] = [];
  /** Findings whose earlier record of this upload may have an event. */
  readonly #replaced: string[] = [];
  readonly #resolutions: AlteredResolution[] = [];
  /** Findings with another first known record. */
  readonly #firstScans: { readonly findingId: string; readonly value: string }[] = [];
  /** Findings whose newest record follows a late record of this frame. */
  readonly #priorStates: { readonly findingId: string; readonly value: number | null }[] = [];

  constructor(frame: ClaimedFrame, merge: MergedRows, counts: ChangeCounts) {
    this.#frame = frame;
    this.#merge = merge;
    this.#counts = counts;
  }

  add(row: Row, findingId: string): void {
    const { merged, own } = this.#merge;
    const late = merged.late.get(findingId);
    if (late?.ingestionId === this.#frame.ingestionId) return;
    const timeline = own.timelines.get(findingId) ?? (late && timelineOf(late));
    if (timeline !== undefined) {
      this.#place(row, findingId, timeline, late !== undefined);
      return;
    }
    const state = stateCode(row);
    const priorState = merged.priorStates.has(findingId)
      ? (merged.priorStates.get(findingId) ?? null)
      : state;
    const isEvent = priorState !== null && priorState !== state;
    this.#addRecord(row, findingId, { state, priorState, isEvent });
  }

  #place(row: Row, findingId: string, timeline: Timeline, isLate: boolean): void {
    const { ingestionId } = this.#frame;
    const state = stateCode(row);
    const placed = placeRecord(timeline, { occurredAt: row.time, ingestionId, scanId: row.scanId, state });
    if (placed === null) return;
    const { replaced, priorState } = placed;
    const unchanged = this.#merge.own.unchanged.get(findingId);
    if (replaced !== null && replaced.scanId !== null)
      this.#remove(row, { ...replaced, findingId, scanId: replaced.scanId }, changeAt(replaced));
    else if (unchanged !== undefined) {
      // The time of the other record is unknown; it remains the upload's record.
      if (isLate) return;
      this.#remove(row, unchanged, 'unchanged');
    }
    if (priorState === null) this.#firstScans.push({ findingId, value: row.scanId });
    // Late records are unknown without an event.
    this.#addRecord(row, findingId, { state, priorState, isEvent: isLate || priorState !== state });
    for (const altered of placed.altered) {
      this.#alter(findingId, altered);
      if (isLate && altered.point === timeline.newest)
        this.#priorStates.push({ findingId, value: altered.priorState });
    }
  }

  /** Removes an earlier record of the upload from its scan. */
  #remove(row: Row, { findingId, scanId, state }: UnchangedFinding, change: FindingChange): void {
    this.#counts.add({ scanId, ingestionId: this.#frame.ingestionId }, change, state, -1);
    if (scanId !== row.scanId) this.#moved.push({ findingId, scanId });
    this.#replaced.push(findingId);
  }

  #alter(findingId: string, { point, priorState }: AlteredRecord): void {
    const { ingestionId, scanId, state } = point;
    if (point.isResolution && ingestionId !== null && priorState !== null) {
      this.#resolutions.push({ findingId, coverageId: ingestionId, state: priorState });
      return;
    }
    if (ingestionId === null || scanId === null) return;
    const altered = { ...point, ingestionId, scanId, priorState };
    this.#counts.add({ scanId, ingestionId }, changeAt(point), state, -1);
    this.#counts.add({ scanId, ingestionId }, changeAt(altered), state, 1);
    this.#events.push({ ...altered, findingId, change: changeAt(altered) });
    if (priorState === null) this.#firstScans.push({ findingId, value: scanId });
  }

  #addRecord(
    row: Row,
    findingId: string,
    { state, priorState, isEvent }: { state: number; priorState: number | null; isEvent: boolean },
  ): void {
    const { ingestionId } = this.#frame;
    const { scanId } = row;
    const change = changeOf(priorState, state);
    if (isEvent || priorState === null) this.#findings.others.push({ findingId, scanId });
    else this.#findings.unchanged.push({ findingId, scanId, state });
    this.#counts.add({ scanId, ingestionId }, change, state, 1);
    if (!isEvent) return;
    const event = { findingId, ingestionId, isResolution: false, scanId, occurredAt: row.time };
    this.#events.push({ ...event, state, priorState, change });
  }

  async store(client: Queryable): Promise<void> {
    const { tenantId, ingestionId } = this.#frame;
    const { rows, merged } = this.#merge;
    const { replaced } = merged;
    for (const { scanId, state, prior } of replaced)
      this.#counts.add({ scanId, ingestionId }, changeOf(prior, state), state, -1);
    const moved = replaced.filter(({ id, scanId }) => rows.rowOf(id).scanId !== scanId);
    await removeScanFindings(client, this.#frame, [
      ...moved.map(({ id, ...record }) => ({ ...record, findingId: id })),
      ...(await findScanFindings(client, this.#frame, this.#moved)),
    ]);
    await insertScanFindings(client, this.#frame, this.#findings);
    await deleteRecordEvents(client, tenantId, ingestionId, [
      ...replaced.map(({ id }) => id),
      ...this.#replaced,
    ]);
    await upsertEvents(client, tenantId, this.#events);
    for (const { id, prior, followsResolution } of replaced) {
      if (followsResolution === null) continue;
      const state = stateCode(rows.rowOf(id));
      this.#resolutions.push({
        findingId: id,
        coverageId: null,
        state: followsResolution ? unresolved(prior ?? state) : state,
      });
    }
    await alterResolutions(client, tenantId, this.#resolutions, this.#counts);
    await this.#updateFindings(client, 'first_scan_id', 'uuid', this.#firstScans);
    await this.#updateFindings(client, 'prior_state', 'smallint', this.#priorStates);
  }

  async #updateFindings(
    client: Queryable,
    column: 'first_scan_id' | 'prior_state',
    type: string,
    values: readonly { readonly findingId: string; readonly value: string | number | null }[],
  ): Promise<void> {
    if (values.length === 0) return;
    await client.query(
      `update findings f set ${column} = w.value
       from unnest((select $2::uuid[]), (select $3::${type}[])) as w (id, value)
       where f.tenant_id = $1 and f.id = w.id`,
      [this.#frame.tenantId, values.map(({ findingId }) => findingId), values.map(({ value }) => value)],
    );
  }
}
