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
  it('generates the 24 top-level keys of a scanner record in order, without cloud for Kubernetes', () => {
    const expected = KEYS.split(' ');
    assert.equal(expected.length, 24);
    for (const provider of PROVIDER_NAMES) {
      const keys = provider === 'kubernetes' ? expected.filter((key) => key !== 'cloud') : expected;
      assert.deepEqual(Object.keys(generateRecord({ provider }, 5)), keys);
    }
  });

  it('generates the same keys as a scanner in unmapped, finding_info, and resources', () => {
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

  it('writes the scan time in seconds and as text', () => {
    for (const record of recordsOf({ records: 50, time: 1_800_000_000 })) {
      assert.equal(at(record, 'time'), 1_800_000_000);
      assert.equal(at(record, 'finding_info', 'created_time'), 1_800_000_000);
      assert.match(String(at(record, 'time_dt')), /^2027-01-15T08:00:00\.\d{6}$/);
    }
  });

  it('generates the same title and descriptions for all findings of a check, and names the resource in the status detail', () => {
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

  it('gives each check a unique ID and title, and evaluates one resource type per check', () => {
    for (const provider of PROVIDER_NAMES) {
      const types = new Map<unknown, unknown>();
      const titles = new Set<unknown>();
      for (const record of recordsOf({
        provider,
        records: 300 * 4,
        checks: 300,
        accounts: 1,
        resources: 4,
      })) {
        const [check, type] = [at(record, 'metadata', 'event_code'), at(record, 'resources', 0, 'type')];
        assert.equal(types.get(check) ?? type, type, `${provider} ${check}`);
        types.set(check, type);
        titles.add(at(record, 'finding_info', 'title'));
      }
      assert.deepEqual([types.size, titles.size], [300, 300], provider);
    }
  });

  it('reports a status that is consistent with the metadata of the resource', () => {
    const compliant: Record<string, (metadata: unknown) => boolean> = {
      s3_bucket_kms_encryption: (metadata) => at(metadata, 'encryption', 'kms_key_id') !== null,
      ec2_instance_no_public_ip: (metadata) => at(metadata, 'public_ip') === null,
      iam_role_used_within_90_days: (metadata) => Number(at(metadata, 'last_used_days')) <= 90,
      ec2_securitygroup_ipv4_ingress_tcp_22: (metadata) =>
        at(metadata, 'ingress_rules', 0, 'CidrIp') !== '0.0.0.0/0',
    };
    const statuses = new Set<string>();
    for (const record of recordsOf({ records: 250 * 40, accounts: 1, resources: 40, indent: 0 })) {
      const check = String(at(record, 'metadata', 'event_code'));
      const status = at(record, 'status_code');
      const isCompliant = compliant[check];
      if (isCompliant !== undefined && status !== 'MANUAL') {
        const metadata = at(record, 'resources', 0, 'data', 'metadata');
        assert.equal(isCompliant(metadata) ? 'PASS' : 'FAIL', status, `${check} ${JSON.stringify(metadata)}`);
        statuses.add(`${check} ${status}`);
      }
    }
    assert.equal(statuses.size, 2 * Object.keys(compliant).length);
  });

  it('names the permission that the scanner lacks in MANUAL records', () => {
    const manual = recordsOf({ records: 2000, failShare: 0 }).filter(
      (record) => at(record, 'status_code') === 'MANUAL',
    );
    assert(manual.length > 0);
    for (const record of manual) {
      assert.match(
        String(at(record, 'status_detail')),
        / could not be evaluated because the scanner lacks the permission \w+:\w+\.$/,
      );
    }
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
      const bytes = Buffer.byteLength(fileText({ provider, records: 1000 })) / 1000;
      assert(bytes > 3500 && bytes < 5000, `${provider}: ${bytes} bytes per record`);
    }
  });
});
