import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FLAWS, type Flaw } from '../src/index.ts';
import { at, recordsOf } from './read-records.ts';

/** Detects the flaws of a record independently of the generator. */
function flawsIn(record: unknown): Flaw[] {
  const account =
    at(record, 'cloud') === undefined
      ? at(record, 'unmapped', 'provider_uid')
      : at(record, 'cloud', 'account', 'uid');
  const found: Record<Flaw, boolean> = {
    'missing-finding-uid': at(record, 'finding_info', 'uid') === undefined,
    'other-class': at(record, 'class_uid') === 2003,
    'class-as-text': at(record, 'class_uid') === '2004',
    'account-as-number': typeof account === 'number',
    'unknown-status-code': !['PASS', 'FAIL', 'MANUAL'].includes(String(at(record, 'status_code'))),
  };
  return FLAWS.filter((flaw) => found[flaw]);
}

function shareOf<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / items.length;
}

function assertNear(actual: number, expected: number): void {
  assert(Math.abs(actual - expected) < 0.02, `${actual} is not within 0.02 of ${expected}`);
}

const hasStatus = (status: string) => (record: unknown) => at(record, 'status_code') === status;

describe('record shares', () => {
  it('generates statuses, muted records, and flaws close to the requested shares', () => {
    const records = recordsOf({
      records: 8000,
      failShare: 0.3,
      mutedShare: 0.1,
      invalidShare: 0.2,
      indent: 0,
    });
    assertNear(
      shareOf(records, (record) => at(record, 'status_id') === 3),
      0.1,
    );
    assertNear(
      shareOf(records, (record) => flawsIn(record).length > 0),
      0.2,
    );
    const valid = records.filter((record) => flawsIn(record).length === 0);
    assertNear(shareOf(valid, hasStatus('FAIL')), 0.3);
    assertNear(shareOf(valid, hasStatus('MANUAL')), 0.014);
    assert(valid.some(hasStatus('MANUAL')));
    assertNear(shareOf(valid, hasStatus('PASS')), 0.686);
  });

  it('generates exact shares for 0 and 1', () => {
    const none = recordsOf({ records: 2000, failShare: 0, mutedShare: 0, invalidShare: 0, indent: 0 });
    assert.equal(shareOf(none, hasStatus('FAIL')), 0);
    assert.equal(
      shareOf(none, (record) => at(record, 'status_id') === 1),
      1,
    );
    assert.equal(
      shareOf(none, (record) => flawsIn(record).length === 0),
      1,
    );
    const all = recordsOf({ records: 2000, failShare: 1, mutedShare: 1, indent: 0 });
    assert.equal(shareOf(all, hasStatus('FAIL')), 1);
    assert.equal(
      shareOf(all, (record) => at(record, 'status') === 'Suppressed'),
      1,
    );
    const invalid = recordsOf({ records: 2000, invalidShare: 1, indent: 0 });
    assert.equal(
      shareOf(invalid, (record) => flawsIn(record).length === 1),
      1,
    );
  });

  it('selects different failing records for a different seed', () => {
    const statuses = (seed: number) =>
      recordsOf({ records: 300, seed }).map((record) => at(record, 'status_code'));
    assert.notDeepEqual(statuses(1), statuses(2));
  });

  it('includes the failing records of a smaller share in a larger one', () => {
    const failed = (failShare: number) =>
      recordsOf({ records: 500, failShare }).flatMap((record, index) =>
        hasStatus('FAIL')(record) ? [index] : [],
      );
    const more = new Set(failed(0.4));
    assert.deepEqual(
      failed(0.2).filter((index) => !more.has(index)),
      [],
    );
  });

  for (const provider of ['aws', 'gcp', 'kubernetes'] as const) {
    it(`generates ${provider} records with every flaw, and one flaw per invalid record`, () => {
      const seen = new Map<Flaw, number>();
      for (const record of recordsOf({ provider, records: 3000, invalidShare: 0.5, indent: 0 })) {
        const flaws = flawsIn(record);
        assert(flaws.length <= 1, flaws.join());
        for (const flaw of flaws) {
          seen.set(flaw, (seen.get(flaw) ?? 0) + 1);
        }
      }
      for (const flaw of FLAWS) {
        assertNear((seen.get(flaw) ?? 0) / 3000, 0.1);
      }
    });
  }
});
