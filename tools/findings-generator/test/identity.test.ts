import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWholeRun } from '../../../packages/server/test/support/is-whole-run.ts';
import { type GeneratorOptions, PROVIDER_NAMES } from '../src/index.ts';
import { at, identityOf, recordsOf } from './read-records.ts';

// With 11 resources, the last run is shorter than the others. With 300 checks, every provider's catalog is exceeded.
const COUNTS = { accounts: 2, checks: 300, resources: 11 };
const RECORDS = 2 * 300 * 11;

function identitiesOf(options: Partial<GeneratorOptions>): string[] {
  return recordsOf(options).map(identityOf);
}

describe('record identity', () => {
  for (const provider of isWholeRun ? PROVIDER_NAMES : PROVIDER_NAMES.slice(0, 1)) {
    it(`generates unique ${provider} identities for the first accounts x checks x resources records`, () => {
      const records = recordsOf({ ...COUNTS, provider, records: RECORDS, indent: 0 });
      assert.equal(new Set(records.map(identityOf)).size, RECORDS);
      const distinct = (...path: (string | number)[]) =>
        new Set(records.map((record) => at(record, ...path))).size;
      assert.equal(distinct('finding_info', 'uid'), RECORDS);
      assert.equal(distinct('metadata', 'event_code'), 300);
      assert.equal(distinct('unmapped', 'provider_uid'), 2);
      const resources = records.map((record) =>
        JSON.stringify([at(record, 'unmapped', 'provider_uid'), at(record, 'resources', 0, 'uid')]),
      );
      assert.equal(new Set(resources).size, 2 * 11 * distinct('resources', 0, 'type'));
    });
  }

  it('repeats identities after accounts x checks x resources records', () => {
    const identities = identitiesOf({ records: 24, accounts: 2, checks: 3, resources: 2 });
    assert.deepEqual(identities.slice(12), identities.slice(0, 12));
    assert.equal(new Set(identities).size, 12);
  });

  it('keeps finding identities when the time, seed, shares, or scan ID changes', () => {
    const options = { ...COUNTS, records: 500 };
    const identities = identitiesOf(options);
    assert.deepEqual(identitiesOf({ ...options, time: 1_800_000_000 }), identities);
    assert.deepEqual(identitiesOf({ ...options, seed: 99 }), identities);
    assert.deepEqual(identitiesOf({ ...options, failShare: 1, mutedShare: 1 }), identities);
    assert.deepEqual(identitiesOf({ ...options, scanId: 'another', indent: 0 }), identities);
  });

  it('generates the same identities for any record count', () => {
    assert.deepEqual(identitiesOf({ records: 30 }), identitiesOf({ records: 300 }).slice(0, 30));
  });

  it('covers all accounts within the first 32 records', () => {
    const accounts = recordsOf({ records: 32 }).map((record) => at(record, 'cloud', 'account', 'uid'));
    assert.equal(new Set(accounts).size, 4);
  });

  it('generates account uids in the format of each provider', () => {
    const formats = {
      aws: /^\d{12}$/,
      azure: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      gcp: /^[a-z][a-z0-9-]{5,29}$/,
      kubernetes: /^[a-z0-9][a-z0-9._@:/-]+$/i,
      okta: /^[a-z0-9-]+\.okta\.com$/,
    };
    for (const provider of PROVIDER_NAMES) {
      const records = recordsOf({
        provider,
        records: 2000,
        accounts: 2000,
        checks: 1,
        resources: 1,
        indent: 0,
      });
      const accounts = new Set(records.map((record) => String(at(record, 'unmapped', 'provider_uid'))));
      assert.equal(accounts.size, 2000);
      for (const account of accounts) {
        assert.match(account, formats[provider]);
      }
    }
  });
});
