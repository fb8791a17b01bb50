import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateRecord, PROVIDER_NAMES } from '../src/index.ts';
import { at, fileText, recordsOf } from './read-records.ts';

const KEYS =
  'message metadata severity_id severity status status_code status_detail status_id unmapped activity_name ' +
  'activity_id finding_info resources category_name category_uid class_name class_uid cloud remediation ' +
  'risk_details time time_dt type_uid type_name';

function keysAt(record: unknown, ...path: (string | number)[]): string[] {
  return Object.keys(Object(at(record, ...path)));
}

describe('generated record', () => {
  it('generates the 24 top-level keys of a real record in order, without cloud for Kubernetes', () => {
    const expected = KEYS.split(' ');
    assert.equal(expected.length, 24);
    for (const provider of PROVIDER_NAMES) {
      const keys = provider === 'kubernetes' ? expected.filter((key) => key !== 'cloud') : expected;
      assert.deepEqual(Object.keys(generateRecord({ provider }, 5)), keys);
    }
  });

  it('generates all keys of a real record in unmapped, finding_info, and resources', () => {
    const record = generateRecord({}, 5);
    assert.deepEqual(keysAt(record, 'unmapped').toSorted(), [
      'additional_urls',
      'categories',
      'compliance',
      'depends_on',
      'notes',
      'provider',
      'provider_uid',
      'related_to',
      'related_url',
      'scan_id',
    ]);
    const resource = ['cloud_partition', 'region', 'data', 'group', 'labels', 'name', 'type', 'uid'];
    assert.deepEqual(keysAt(record, 'resources', 0), resource);
    assert.deepEqual(keysAt(record, 'resources', 0, 'data'), ['details', 'metadata']);
    const kubernetes = generateRecord({ provider: 'kubernetes' }, 5);
    assert.deepEqual(keysAt(kubernetes, 'resources', 0), ['namespace', ...resource.slice(2)]);
    const finding = [
      'analytic',
      'attacks',
      'created_time',
      'created_time_dt',
      'desc',
      'title',
      'types',
      'uid',
    ];
    const withAttacks = recordsOf({ records: 2000 }).find(
      (one) => at(one, 'finding_info', 'attacks') !== undefined,
    );
    assert.deepEqual(keysAt(withAttacks, 'finding_info'), finding);
  });

  it('generates the scan time in seconds and as text', () => {
    for (const record of recordsOf({ records: 50, time: 1_800_000_000 })) {
      assert.equal(at(record, 'time'), 1_800_000_000);
      assert.equal(at(record, 'finding_info', 'created_time'), 1_800_000_000);
      assert.match(String(at(record, 'time_dt')), /^2027-01-15T08:00:00\.\d{6}$/);
    }
  });

  it('generates the same texts for all findings of a check and names the resource in the status detail', () => {
    const texts = new Map<unknown, string>();
    for (const record of recordsOf({ records: 5000, checks: 20, resources: 100, indent: 0 })) {
      const check = at(record, 'metadata', 'event_code');
      const fixed = [
        at(record, 'finding_info', 'title'),
        at(record, 'finding_info', 'desc'),
        at(record, 'risk_details'),
        at(record, 'remediation'),
        at(record, 'severity_id'),
        at(record, 'unmapped', 'compliance'),
      ];
      assert.equal(texts.get(check) ?? JSON.stringify(fixed), JSON.stringify(fixed));
      texts.set(check, JSON.stringify(fixed));
      assert(String(at(record, 'status_detail')).includes(String(at(record, 'resources', 0, 'name'))));
    }
    assert.equal(texts.size, 20);
    assert.equal(new Set(texts.values()).size, 20);
  });

  it('shares no objects between two calls of generateRecord', () => {
    const before = JSON.stringify(generateRecord({}, 3));
    const record = generateRecord({}, 3);
    for (const [object, list] of [
      ['unmapped', 'categories'],
      ['remediation', 'references'],
    ] as const) {
      const found = at(record, object, list);
      assert(Array.isArray(found));
      found.push('modified');
    }
    assert.equal(JSON.stringify(generateRecord({}, 3)), before);
  });

  it('generates records of a realistic size', () => {
    for (const provider of PROVIDER_NAMES) {
      const bytes = Buffer.byteLength(fileText({ provider, records: 4000 })) / 4000;
      assert(bytes > 3000 && bytes < 4500, `${provider}: ${bytes} bytes per record`);
    }
  });
});
