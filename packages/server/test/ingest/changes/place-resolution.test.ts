import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolved, stateCode } from '../../../src/ingest/changes/finding-state.ts';
import type { Timeline, TimelinePoint } from '../../../src/ingest/changes/place-record.ts';
import { placeResolution } from '../../../src/ingest/changes/place-resolution.ts';

const FAIL = stateCode({ severity: 4, status: 'FAIL', muted: false });
const PASS = stateCode({ severity: 4, status: 'PASS', muted: false });

const point = (occurredAt: number, priorState: number | null = FAIL): TimelinePoint => ({
  isResolution: false,
  occurredAt,
  ingestionId: `upload ${occurredAt}`,
  scanId: `scan ${occurredAt}`,
  state: FAIL,
  priorState,
});
const resolution = (occurredAt: number): TimelinePoint => ({
  ...point(occurredAt),
  isResolution: true,
  state: resolved(FAIL),
});
const sighting = (startedAt: number, state: number | null = FAIL) => ({
  startedAt,
  state,
  ingestionId: `upload ${startedAt}`,
  scanId: `scan ${startedAt}`,
});
const timeline = (
  events: readonly TimelinePoint[],
  newest: TimelinePoint,
  previousAt: number | null = null,
): Timeline => ({
  events,
  newest,
  first: { occurredAt: 1, ingestionId: 'upload 1', scanId: 'scan 1' },
  previousAt,
});
const coverage = (occurredAt: number) => ({ coverageId: `coverage ${occurredAt}`, occurredAt });

describe('the place of a late resolution', () => {
  it('is before the newest record, which reopens the finding', () => {
    const placed = placeResolution(timeline([], point(9), 1), coverage(4), sighting(9));
    assert.deepEqual(
      [placed?.state, placed?.reopened?.point.scanId, placed?.reopened?.priorState],
      [FAIL, 'scan 9', resolved(FAIL)],
    );
  });

  it('is before the first scan that contains the finding, although its record changed nothing', () => {
    const placed = placeResolution(timeline([], point(9), 7), coverage(4), sighting(5));
    assert.deepEqual([placed?.reopened?.point.scanId, placed?.reopened?.point.occurredAt], ['scan 5', 5]);
  });

  it('is before a record with the same time', () => {
    const placed = placeResolution(timeline([], point(9), 1), coverage(9), sighting(9));
    assert.equal(placed?.reopened?.point.scanId, 'scan 9');
  });

  it('is nowhere if the next record is unknown', () => {
    assert.equal(placeResolution(timeline([], point(9), 7), coverage(4)), null);
    assert.equal(placeResolution(timeline([], point(9), 7), coverage(4), sighting(5, null)), null);
    const uncounted = { ...point(9), scanId: null };
    assert.equal(placeResolution(timeline([], uncounted), coverage(4)), null);
  });

  it('leaves the state of the next record as it was counted', () => {
    const known = timeline([{ ...point(2), state: PASS }], point(9), 7);
    const placed = placeResolution(known, coverage(4), sighting(5));
    assert.deepEqual(
      [placed?.state, placed?.reopened?.point.state, placed?.reopened?.priorState],
      [PASS, FAIL, resolved(PASS)],
    );
  });

  it('takes the place of a later resolution', () => {
    const known = timeline([resolution(6)], point(9, resolved(FAIL)), 1);
    const placed = placeResolution(known, coverage(4), sighting(9));
    assert.deepEqual([placed?.replaced?.occurredAt, placed?.reopened], [6, null]);
  });

  it('does not take the place of a later resolution if a record lies between them', () => {
    const known = timeline([resolution(6)], point(9, resolved(FAIL)), 1);
    const placed = placeResolution(known, coverage(4), sighting(5));
    assert.deepEqual([placed?.replaced, placed?.reopened?.point.scanId], [null, 'scan 5']);
  });

  it('is nowhere if the finding was already resolved, had no record, or was resolved by the same coverage', () => {
    const known = timeline([resolution(4)], point(9, resolved(FAIL)), 1);
    assert.equal(placeResolution(known, coverage(6), sighting(9)), null);
    assert.equal(placeResolution(timeline([], point(9), 1), coverage(1), sighting(9)), null);
    const own = { ...resolution(4), ingestionId: 'coverage 4' };
    assert.equal(
      placeResolution(timeline([own], point(9, resolved(FAIL)), 1), coverage(4), sighting(9)),
      null,
    );
  });
});
