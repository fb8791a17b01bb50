import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { combineRows, historyOf, type NewestRecord } from '../../../src/ingest/merge/combine-rows.ts';

interface Seen {
  readonly time: number;
  readonly status: NewestRecord['status'];
  readonly muted: boolean;
}

type State = Omit<NewestRecord, 'history'> & ReturnType<typeof historyOf>;

/** The state of a finding according to its row. */
function stateOf(row: NewestRecord): State {
  const { history: _, ...newest } = row;
  return { ...newest, ...historyOf(row) };
}

/** Uses few distinct times and statuses, so that most histories have simultaneous records. */
const histories = fc.array(
  fc.record<Seen>({
    time: fc.integer({ min: 0, max: 8 }),
    status: fc.constantFrom('PASS', 'FAIL', 'MANUAL'),
    muted: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

/** The records of a finding as rows. The rows arrive in file order. */
function rowsOf(seen: readonly Seen[]): readonly NewestRecord[] {
  return seen.map((record, recordIndex) => ({ ...record, recordIndex, history: null }));
}

const RESULTS = ['PASS', 'MANUAL', 'FAIL'];
/** Orders records by result: FAIL before MANUAL before PASS, unmuted before muted. */
const rank = ({ status, muted }: NewestRecord) => RESULTS.indexOf(status) * 2 + Number(!muted);

/** Returns the expected state after all records. */
function definition(rows: readonly NewestRecord[]): State {
  const newest = rows
    .toSorted((a, b) => a.time - b.time || rank(a) - rank(b) || a.recordIndex - b.recordIndex)
    .at(-1);
  assert.ok(newest);
  const otherTimes = rows.filter(({ status }) => status !== newest.status).map(({ time }) => time);
  const otherStatusAt = otherTimes.length === 0 ? null : Math.max(...otherTimes);
  const since = rows.filter(({ time, status }) => status === newest.status && time > (otherStatusAt ?? -1));
  return {
    ...stateOf(newest),
    firstSeenAt: Math.min(...rows.map(({ time }) => time)),
    statusChangedAt: Math.min(newest.time, ...since.map(({ time }) => time)),
    otherStatusAt,
  };
}

describe('combining the records of one finding', () => {
  it('computes the expected state when records arrive in chronological order', () => {
    fc.assert(
      fc.property(histories, (seen) => {
        const rows = rowsOf(seen.toSorted((a, b) => a.time - b.time));
        assert.deepEqual(stateOf(rows.reduce(combineRows)), definition(rows));
      }),
    );
  });

  it('computes the same state for any record order, with a status change no later than the newest record', () => {
    fc.assert(
      fc.property(histories, (seen) => {
        const rows = rowsOf(seen);
        const expected = definition(rows);
        const { statusChangedAt, ...rest } = stateOf(rows.reduce(combineRows));
        assert.deepEqual({ ...rest, statusChangedAt: expected.statusChangedAt }, expected);
        assert.ok(statusChangedAt >= expected.statusChangedAt && statusChangedAt <= expected.time);
      }),
    );
  });

  it('combines two rows into the same result in either order', () => {
    fc.assert(
      fc.property(histories, histories, (first, second) => {
        const rows = rowsOf([...first, ...second]);
        const left = rows.slice(0, first.length).reduce(combineRows);
        const right = rows.slice(first.length).reduce(combineRows);
        assert.deepEqual(combineRows(left, right), combineRows(right, left));
      }),
    );
  });
});
