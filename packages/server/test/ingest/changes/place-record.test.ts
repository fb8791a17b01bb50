import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolved, stateCode } from '../../../src/ingest/changes/finding-state.ts';
import {
  type NewRecord,
  placeRecord,
  type Timeline,
  type TimelinePoint,
} from '../../../src/ingest/changes/place-record.ts';

const FAIL = stateCode({ severity: 4, status: 'FAIL', muted: false });
const PASS = stateCode({ severity: 4, status: 'PASS', muted: false });
const RESOLVED = resolved(FAIL);

const point = (occurredAt: number, state: number, priorState: number | null): TimelinePoint => ({
  isResolution: false,
  occurredAt,
  ingestionId: `upload ${occurredAt}`,
  scanId: `scan ${occurredAt}`,
  state,
  priorState,
});
const resolution = (occurredAt: number): TimelinePoint => ({
  ...point(occurredAt, RESOLVED, FAIL),
  isResolution: true,
});
const late = (occurredAt: number, state: number): NewRecord => ({
  occurredAt,
  ingestionId: `upload ${occurredAt}`,
  scanId: `scan ${occurredAt}`,
  state,
});
const timeline = (
  events: readonly TimelinePoint[],
  newest: TimelinePoint,
  firstAt: number,
  previousAt: number | null = null,
): Timeline => ({
  events,
  newest,
  first: { occurredAt: firstAt, ingestionId: `upload ${firstAt}`, scanId: `scan ${firstAt}` },
  previousAt,
});

describe('the place of a late record', () => {
  it('is before the first record, which is no longer new', () => {
    const placed = placeRecord(timeline([], point(5, FAIL, null), 5), late(3, PASS));
    assert.equal(placed?.change, 'new');
    assert.equal(placed?.altered[0]?.point.scanId, 'scan 5');
  });

  it('does not alter the newest record if an unknown record lies between them', () => {
    const known = timeline([], point(9, FAIL, FAIL), 1, 7);
    const placed = placeRecord(known, late(3, PASS));
    assert.deepEqual([placed?.change, placed?.altered], ['fixed', []]);
  });

  it('alters the newest record if no record lies between them', () => {
    const placed = placeRecord(timeline([], point(9, FAIL, FAIL), 1, 2), late(3, PASS));
    assert.deepEqual([placed?.change, placed?.altered[0]?.point.scanId], ['fixed', 'scan 9']);
  });

  it('is after a resolution, so that the next record no longer reopens the finding', () => {
    const known = timeline([resolution(4)], point(9, FAIL, RESOLVED), 1, 1);
    const placed = placeRecord(known, late(6, PASS));
    assert.deepEqual([placed?.change, placed?.altered[0]?.point.scanId], ['reopened', 'scan 9']);
  });

  it('is before a resolution, which resolves its state until the next record', () => {
    const known = timeline([resolution(4)], point(9, FAIL, RESOLVED), 1, 1);
    const placed = placeRecord(known, late(3, PASS));
    assert.equal(placed?.change, 'fixed');
    assert.deepEqual(
      placed?.altered.map(({ point: { occurredAt }, priorState }) => [occurredAt, priorState]),
      [
        [4, PASS],
        [9, resolved(PASS)],
      ],
    );
  });

  it('is before the first scan that contains the finding, although its record changed nothing', () => {
    const known = timeline([], point(9, FAIL, FAIL), 1, 7);
    const sighting = { scanId: 'scan 7', ingestionId: 'upload 7', startedAt: 7, state: FAIL };
    const placed = placeRecord(known, late(3, PASS), { isResolved: false, sighting });
    assert.deepEqual(
      placed?.altered.map(({ point: { scanId, state }, priorState }) => [scanId, state, priorState]),
      [['scan 7', FAIL, PASS]],
    );
  });

  it('is null if its upload has a newer record of the finding', () => {
    const own = { ...point(4, PASS, FAIL), ingestionId: 'upload 3' };
    assert.equal(placeRecord(timeline([own], point(9, FAIL, PASS), 1, 1), late(3, FAIL)), null);
  });

  it('replaces an older record of its upload', () => {
    const own = { ...point(2, PASS, FAIL), ingestionId: 'upload 3' };
    const placed = placeRecord(timeline([own], point(9, FAIL, PASS), 1, 1), late(3, FAIL));
    assert.deepEqual([placed?.change, placed?.replaced], ['unchanged', own]);
    assert.equal(placed?.altered[0]?.point.scanId, 'scan 9');
  });

  it('replaces an older record of its upload that was resolved since, and alters the next record once', () => {
    const own = { ...point(2, FAIL, PASS), ingestionId: 'upload 6' };
    const known = timeline([own, resolution(4)], point(9, FAIL, RESOLVED), 1, 1);
    const placed = placeRecord(known, late(6, PASS));
    assert.deepEqual(
      placed?.altered.map(({ point: { occurredAt }, priorState }) => [occurredAt, priorState]),
      [
        [9, PASS],
        [4, PASS],
      ],
    );
  });

  it('is after an unknown first record of an earlier release', () => {
    const known: Timeline = {
      ...timeline([], point(9, FAIL, null), 1),
      first: { occurredAt: 1, ingestionId: null, scanId: null },
    };
    const placed = placeRecord(known, late(3, FAIL));
    assert.deepEqual([placed?.change, placed?.altered], ['unchanged', []]);
  });
});
