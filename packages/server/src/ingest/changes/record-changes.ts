import type { Queryable } from '../../db/transaction.ts';
import { hexOf } from '../merge/copy-writer.ts';
import type { FrameRows, Row } from '../merge/frame-rows.ts';
import { type FindingGap, findGapCoverages, type GapCoverage } from '../merge/gap-coverages.ts';
import type { MergedFrame } from '../merge/merge-findings.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { AlteredPoints } from './altered-points.ts';
import type { ChangeCounts } from './change-counts.ts';
import { findSightings, type SoughtFinding } from './find-sightings.ts';
import { deleteRecordEvents, type FindingEvent, upsertEvents } from './finding-events.ts';
import { changeOf, type FindingChange, stateCode, unresolved } from './finding-state.ts';
import type { OwnRecords } from './own-records.ts';
import {
  changeAt,
  changesNext,
  gapAfter,
  type NewRecord,
  placeRecord,
  type Timeline,
} from './place-record.ts';
import { type ResolvedFinding, recordResolutions } from './record-resolutions.ts';
import {
  findScanFindings,
  ReportedFindings,
  removeScanFindings,
  type ScanFinding,
  type UnchangedFinding,
} from './scan-findings.ts';
import type { Sighting } from './sighting.ts';

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
  const coverages = await findGapCoverages(client, frame.tenantId, changes.gaps());
  const sightings = await findSightings(
    client,
    frame.tenantId,
    { ingestionId: frame.ingestionId, isCoverage: false },
    changes.sought(),
  );
  changes.addAll({ coverages, sightings });
  await changes.store(client);
}

/** What followed late records, by their findings without hyphens. */
interface LaterPoints {
  /** Those that resolve the finding before its next record. */
  readonly coverages: ReadonlyMap<string, GapCoverage>;
  readonly sightings: ReadonlyMap<string, Sighting>;
}

class FrameChanges {
  readonly #frame: ClaimedFrame;
  readonly #merge: MergedRows;
  readonly #counts: ChangeCounts;
  readonly #findings = new ReportedFindings();
  /** Findings with another record of the upload, in another scan. */
  readonly #moved: ScanFinding[] = [];
  readonly #events: FindingEvent[] = [];
  /** Findings whose earlier record of this upload may have an event. */
  readonly #replaced: string[] = [];
  readonly #altered: AlteredPoints;
  /** Findings that were resolved between a late record of this frame and the next one. */
  readonly #resolved: ResolvedFinding[] = [];

  constructor(frame: ClaimedFrame, merge: MergedRows, counts: ChangeCounts) {
    this.#frame = frame;
    this.#merge = merge;
    this.#counts = counts;
    this.#altered = new AlteredPoints(counts);
  }

  /** The times after late records of the frame in which a coverage might have resolved their findings. */
  gaps(): readonly FindingGap[] {
    const { merged, rows } = this.#merge;
    return [...merged.late.keys()].flatMap((findingId) => {
      const timeline = this.#timelineOf(findingId);
      const gap = timeline && gapAfter(timeline, this.#recordOf(rows.rowOf(findingId)));
      return gap ? [{ ...gap, findingId }] : [];
    });
  }

  /** The findings whose late records alter the next one. */
  sought(): readonly SoughtFinding[] {
    const { merged, rows } = this.#merge;
    return [...merged.late.keys()].flatMap((id) => {
      const timeline = this.#timelineOf(id);
      const row = rows.rowOf(id);
      if (timeline === undefined || !changesNext(timeline, this.#recordOf(row))) return [];
      return [{ id, providerId: row.providerId, time: row.time }];
    });
  }

  /** Adds all rows. */
  addAll(later: LaterPoints): void {
    const { merged, own, rows } = this.#merge;
    const haveTimelines = merged.late.size + own.timelines.size > 0;
    for (const row of rows.values())
      if (!haveTimelines || !this.#addToTimeline(row, later)) this.#addNewest(row);
  }

  /** Returns false if the record of the row is now the newest of its finding, and the only one of the upload. */
  #addToTimeline(row: Row, later: LaterPoints): boolean {
    const findingId = hexOf(row.id);
    if (this.#hasNewest(findingId)) return true;
    const timeline = this.#timelineOf(findingId);
    if (timeline === undefined) return false;
    this.#place(row, findingId, timeline, later);
    return true;
  }

  #addNewest(row: Row): void {
    const { priorStates } = this.#merge.merged;
    const state = stateCode(row);
    const priorState = priorStates.has(row.id) ? (priorStates.get(row.id) ?? null) : state;
    const isEvent = priorState !== null && priorState !== state;
    this.#addRecord(row, { state, priorState, isEvent });
  }

  /** Whether the newest record of the finding is another one of this upload. */
  #hasNewest(findingId: string): boolean {
    return this.#merge.merged.late.get(findingId)?.newest.ingestionId === this.#frame.ingestionId;
  }

  /** The timeline on which a record of this frame must be placed, because the finding's newest record is of another upload. */
  #timelineOf(findingId: string): Timeline | undefined {
    const { merged, own } = this.#merge;
    if (this.#hasNewest(findingId)) return undefined;
    return own.timelines.get(findingId) ?? merged.late.get(findingId);
  }

  #recordOf(row: Row): NewRecord {
    const { time: occurredAt, scanId } = row;
    return { occurredAt, ingestionId: this.#frame.ingestionId, scanId, state: stateCode(row) };
  }

  #place(row: Row, findingId: string, timeline: Timeline, { coverages, sightings }: LaterPoints): void {
    const coverage = coverages.get(findingId);
    const sighting = sightings.get(findingId);
    const isLate = this.#merge.merged.late.has(findingId);
    const record = this.#recordOf(row);
    const { state } = record;
    const placed = placeRecord(timeline, record, { isResolved: coverage !== undefined, sighting });
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
    if (priorState === null) this.#altered.addFirstScan(findingId, row.scanId);
    // Late records are unknown without an event.
    this.#addRecord(row, { state, priorState, isEvent: isLate || priorState !== state });
    for (const altered of placed.altered)
      this.#altered.add(findingId, altered, isLate ? timeline.newest : null);
    if (coverage !== undefined) this.#resolved.push({ ...coverage, state, oldTime: null, oldBy: null });
  }

  /** Removes an earlier record of the upload from its scan. */
  #remove(row: Row, { findingId, scanId, state }: UnchangedFinding, change: FindingChange): void {
    this.#counts.add({ scanId, ingestionId: this.#frame.ingestionId }, change, state, -1);
    if (scanId !== row.scanId) this.#moved.push({ findingId, scanId });
    this.#replaced.push(findingId);
  }

  #addRecord(
    row: Row,
    { state, priorState, isEvent }: { state: number; priorState: number | null; isEvent: boolean },
  ): void {
    const { ingestionId } = this.#frame;
    const { scanId } = row;
    const change = changeOf(priorState, state);
    if (isEvent || priorState === null) this.#findings.add(row.id, scanId);
    else this.#findings.addUnchanged(row.id, scanId, state);
    this.#counts.add({ scanId, ingestionId }, change, state, 1);
    if (!isEvent) return;
    const event = {
      findingId: hexOf(row.id),
      ingestionId,
      isResolution: false,
      scanId,
      occurredAt: row.time,
    };
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
    await this.#findings.store(client, this.#frame);
    await deleteRecordEvents(client, tenantId, ingestionId, [
      ...replaced.map(({ id }) => id),
      ...this.#replaced,
    ]);
    await upsertEvents(client, tenantId, this.#events);
    for (const { id, prior, followsResolution } of replaced) {
      if (followsResolution === null) continue;
      const state = stateCode(rows.rowOf(id));
      this.#altered.addResolution({
        findingId: id,
        coverageId: null,
        state: followsResolution ? unresolved(prior ?? state) : state,
      });
    }
    await this.#altered.store(client, tenantId);
    await recordResolutions(client, tenantId, this.#resolved, this.#counts);
  }
}
