import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FLAWS, type Flaw } from '../src/index.ts';
import { at, recordsOf } from './reading.ts';

/** The flaws of a record, found without asking the generator. */
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

function near(actual: number, expected: number): void {
  assert(Math.abs(actual - expected) < 0.02, `${actual} is not about ${expected}`);
}

const hasStatus = (status: string) => (record: unknown) => at(record, 'status_code') === status;

describe('generated shares', () => {
  it('are close to the requested shares', () => {
    const records = recordsOf({
      records: 8000,
      failShare: 0.3,
      mutedShare: 0.1,
      invalidShare: 0.2,
      indent: 0,
    });
    near(
      shareOf(records, (record) => at(record, 'status_id') === 3),
      0.1,
    );
    near(
      shareOf(records, (record) => flawsIn(record).length > 0),
      0.2,
    );
    const valid = records.filter((record) => flawsIn(record).length === 0);
    near(shareOf(valid, hasStatus('FAIL')), 0.3);
    near(shareOf(valid, hasStatus('MANUAL')), 0.014);
    assert(valid.some(hasStatus('MANUAL')));
    near(shareOf(valid, hasStatus('PASS')), 0.686);
  });

  it('are exact at 0 and 1', () => {
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

  it('select other failing records with another seed', () => {
    const statuses = (seed: number) =>
      recordsOf({ records: 300, seed }).map((record) => at(record, 'status_code'));
    assert.notDeepEqual(statuses(1), statuses(2));
  });

  it('keep failing records of a smaller share when the share grows', () => {
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
    it(`include every kind of invalid record, each with one flaw, with ${provider}`, () => {
      const seen = new Map<Flaw, number>();
      for (const record of recordsOf({ provider, records: 3000, invalidShare: 0.5, indent: 0 })) {
        const flaws = flawsIn(record);
        assert(flaws.length <= 1, flaws.join());
        for (const flaw of flaws) {
          seen.set(flaw, (seen.get(flaw) ?? 0) + 1);
        }
      }
      for (const flaw of FLAWS) {
        near((seen.get(flaw) ?? 0) / 3000, 0.1);
      }
    });
  }
});
