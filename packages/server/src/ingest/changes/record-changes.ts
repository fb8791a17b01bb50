import type { Queryable } from '../../db/transaction.ts';
import { hexOf } from '../merge/copy-writer.ts';
import type { FrameRows, Row } from '../merge/frame-rows.ts';
import type { LateFinding, MergedFrame } from '../merge/merge-findings.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import type { ChangeCounts } from './change-counts.ts';
import { deleteRecordEvents, type FindingEvent, upsertEvents } from './finding-events.ts';
import { changeOf, stateCode } from './finding-state.ts';
import { changeAt, placeLateRecord, type Timeline } from './late-record.ts';
import {
  findScanFindings,
  findUnchanged,
  insertScanFindings,
  removeScanFindings,
  type ScanFinding,
} from './scan-findings.ts';

/**
 * Records how a frame that was just merged changed its findings, in the open transaction: the findings of its scans, and
 * the events. Adds to the counts, which are not stored yet.
 */
export async function recordChanges(
  client: Queryable,
  frame: ClaimedFrame,
  rows: FrameRows,
  merged: MergedFrame,
  counts: ChangeCounts,
): Promise<void> {
  const unchanged = await findUnchanged(client, frame, [...merged.late.keys()]);
  const changes = new FrameChanges(frame, merged, unchanged, counts);
  for (const row of rows.values()) changes.add(row);
  await changes.store(client, rows);
}

class FrameChanges {
  readonly #frame: ClaimedFrame;
  readonly #merged: MergedFrame;
  readonly #counts: ChangeCounts;
  /** Late findings that an earlier frame of the upload has reported as unchanged. */
  readonly #unchanged: ReadonlySet<string>;
  /** Findings without an event, except new ones, and all others. */
  readonly #findings = { unchanged: [] as ScanFinding[], others: [] as ScanFinding[] };
  /** Late findings whose record replaces one of another scan of the upload. */
  readonly #moved: ScanFinding[] = [];
  readonly #events: FindingEvent[] = [];
  /** Findings whose first known record is now in this frame. */
  readonly #firstScans: { readonly findingId: string; readonly value: string }[] = [];
  /** Findings whose newest record follows a late record of this frame. */
  readonly #priorStates: { readonly findingId: string; readonly value: number }[] = [];

  constructor(
    frame: ClaimedFrame,
    merged: MergedFrame,
    unchanged: ReadonlySet<string>,
    counts: ChangeCounts,
  ) {
    this.#frame = frame;
    this.#merged = merged;
    this.#unchanged = unchanged;
    this.#counts = counts;
  }

  add(row: Row): void {
    const findingId = hexOf(row.id);
    const late = this.#merged.late.get(findingId);
    if (late !== undefined) {
      this.#addLate(row, findingId, late);
      return;
    }
    const state = stateCode(row);
    const priorState = this.#merged.changed.has(findingId)
      ? (this.#merged.changed.get(findingId) ?? null)
      : state;
    const isEvent = priorState !== null && priorState !== state;
    this.#addRecord(row, findingId, { state, priorState, isEvent });
  }

  #addLate(row: Row, findingId: string, late: LateFinding): void {
    const { ingestionId } = this.#frame;
    if (late.ingestionId === ingestionId) return;
    const state = stateCode(row);
    const timeline = timelineOf(late);
    const placed = placeLateRecord(timeline, {
      occurredAt: row.time,
      ingestionId,
      scanId: row.scanId,
      state,
    });
    if (placed === null) return;
    const { replaced, next } = placed;
    // The time and the state of the other record are unknown; it remains the upload's record.
    if (replaced === null && this.#unchanged.has(findingId)) return;
    if (replaced !== null && replaced.scanId !== null) {
      const { scanId } = replaced;
      this.#counts.add({ scanId, ingestionId }, changeAt(replaced), replaced.state, -1);
      if (scanId !== row.scanId) this.#moved.push({ findingId, scanId });
    }
    if (placed.priorState === null) this.#firstScans.push({ findingId, value: row.scanId });
    this.#addRecord(row, findingId, { state, priorState: placed.priorState, isEvent: true });
    if (next?.ingestionId == null || next.scanId === null) return;
    const scan = { scanId: next.scanId, ingestionId: next.ingestionId };
    const altered = { ...next, ...scan, priorState: state };
    this.#counts.add(scan, changeAt(next), next.state, -1);
    this.#counts.add(scan, changeAt(altered), next.state, 1);
    this.#events.push({ ...altered, findingId, change: changeAt(altered) });
    if (next === timeline.newest) this.#priorStates.push({ findingId, value: state });
  }

  #addRecord(
    row: Row,
    findingId: string,
    { state, priorState, isEvent }: { state: number; priorState: number | null; isEvent: boolean },
  ): void {
    const { ingestionId } = this.#frame;
    const { scanId } = row;
    const change = changeOf(priorState, state);
    const { unchanged, others } = this.#findings;
    (isEvent || priorState === null ? others : unchanged).push({ findingId, scanId });
    this.#counts.add({ scanId, ingestionId }, change, state, 1);
    if (!isEvent) return;
    const event = { findingId, ingestionId, isResolution: false, scanId, occurredAt: row.time };
    this.#events.push({ ...event, state, priorState, change });
  }

  async store(client: Queryable, rows: FrameRows): Promise<void> {
    const { tenantId, ingestionId } = this.#frame;
    const { replaced } = this.#merged;
    for (const { scanId, state, prior } of replaced)
      this.#counts.add({ scanId, ingestionId }, changeOf(prior, state), state, -1);
    const moved = replaced.filter(({ id, scanId }) => rows.rowOf(id).scanId !== scanId);
    await removeScanFindings(client, this.#frame, [
      ...moved.map(({ id, ...record }) => ({ ...record, findingId: id })),
      ...(await findScanFindings(client, this.#frame, this.#moved)),
    ]);
    await insertScanFindings(client, this.#frame, this.#findings);
    await deleteRecordEvents(
      client,
      tenantId,
      ingestionId,
      replaced.map(({ id }) => id),
    );
    await upsertEvents(client, tenantId, this.#events);
    await this.#updateFindings(client, 'first_scan_id', 'uuid', this.#firstScans);
    await this.#updateFindings(client, 'prior_state', 'smallint', this.#priorStates);
  }

  async #updateFindings(
    client: Queryable,
    column: 'first_scan_id' | 'prior_state',
    type: string,
    values: readonly { readonly findingId: string; readonly value: string | number }[],
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

function timelineOf(late: LateFinding): Timeline {
  return {
    events: late.events,
    newest: {
      isResolution: false,
      occurredAt: late.lastSeenAt,
      ingestionId: late.ingestionId,
      scanId: late.scanId,
      state: late.state,
      priorState: late.priorState,
    },
    first: { occurredAt: late.firstSeenAt, ingestionId: late.firstIngestionId, scanId: late.firstScanId },
    previousAt: late.previousSeenAt,
  };
}
