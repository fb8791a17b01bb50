import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConformanceChecker, isRejection, readDetectionFinding } from '@sluice/ocsf';
import { ALL_CHECKS } from '../../src/checks/all-checks.ts';
import { STIG } from '../../src/compliance/stig.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';
import { toOcsf } from '../../src/outputs/ocsf.ts';
import { check, finding, hostileFindings, scan, variedFindings } from './support/findings.ts';
import { detectionFinding, unmapped } from './support/ocsf-schema.ts';

const records = (text: string): unknown[] => {
  const value: unknown = JSON.parse(text);
  assert.ok(Array.isArray(value));
  return value;
};
/** The identity fields of a record. */
const uids = (text: string) => records(text).map((record) => detectionFinding.parse(record).finding_info.uid);

describe('OCSF output', () => {
  it('writes every field in the order of the specification', () => {
    assert.deepEqual(records(toOcsf([finding()], scan())), [GOLDEN]);
    const [record] = records(toOcsf([finding()], scan()));
    assert.deepEqual(Object.keys(record ?? {}), Object.keys(GOLDEN));
  });

  it('writes records that conform to the OCSF 1.5 schema', () => {
    for (const record of records(toOcsf([...variedFindings(), ...hostileFindings()], scan()))) {
      unmapped.parse(detectionFinding.parse(record).unmapped);
    }
  });

  it('writes records with all attributes that OCSF 1.5 requires', () => {
    const findings = [
      ...ALL_CHECKS.map((one) => finding({ check: one })),
      ...variedFindings(),
      ...hostileFindings(),
    ];
    const checker = new ConformanceChecker();
    for (const record of records(toOcsf(findings, scan())))
      assert.deepEqual(checker.check(record, undefined), [], JSON.stringify(record));
    const [{ category_uid: _, ...incomplete } = { category_uid: 2 }] = records(
      toOcsf([finding()], scan()),
    ).map((record) => detectionFinding.parse(record));
    assert.equal(checker.check(incomplete, undefined).length, 1);
  });

  it("includes every check's STIG requirement and group", () => {
    const findings = ALL_CHECKS.map((one) => finding({ check: one }));
    const written = records(toOcsf(findings, scan())).map((record) => detectionFinding.parse(record));
    assert.equal(written.length, 29);
    for (const [at, record] of written.entries()) {
      const { requirement, group } = ALL_CHECKS[at]?.stig ?? assert.fail();
      const { compliance } = unmapped.parse(record.unmapped);
      assert.deepEqual(compliance['Directory-IDaaS-STIG-V1R2'], [`DIRECTORY-APP-${requirement}`, group]);
      assert.deepEqual(
        record.finding_info.analytic.related_analytics.map(({ uid, name }) => [uid, name]),
        [[group, `DIRECTORY-APP-${requirement}`]],
      );
    }
  });

  it('writes records with exactly the 24 documented top-level keys', () => {
    const [record] = records(toOcsf([finding()], scan()));
    assert.equal(Object.keys(record ?? {}).length, 24);
  });

  it('writes matching severity and severity_id values as defined by OCSF', () => {
    for (const severity of ['critical', 'high', 'medium', 'low', 'informational'] as const) {
      const [record] = records(toOcsf([finding({ check: { severity } })], scan()));
      assert.equal(detectionFinding.parse(record).severity.toLowerCase(), severity);
    }
  });

  it('writes records that the ingestion service reads without loss', () => {
    const findings = [...variedFindings(), ...hostileFindings()];
    const read = records(toOcsf(findings, scan())).map((record) => {
      const result = readDetectionFinding(record, { provider: null, account: null, time: Date.now() });
      assert.ok(!isRejection(result), JSON.stringify(result));
      return result;
    });
    for (const [at, result] of read.entries()) {
      const source = findings[at] ?? assert.fail();
      assert.deepEqual(
        {
          status: result.status,
          muted: result.muted,
          checkId: result.checkId,
          severity: result.severity,
          detail: result.statusDetail,
          resourceUid: result.resources[0]?.uid,
          service: result.resources[0]?.service,
        },
        {
          status: source.verdict.status,
          muted: source.muted,
          checkId: source.check.id,
          severity: { critical: 5, high: 4, medium: 3, low: 2, informational: 1 }[source.check.severity],
          detail: source.verdict.detail,
          resourceUid: source.verdict.resource.id,
          service: source.check.service,
        },
      );
      assert.equal(result.account, 'acme.directory.com');
      assert.equal(result.providerType, 'directory');
      assert.equal(result.scanUid, scan().scanId);
      assert.equal(result.time, Math.floor(scan().startedAt.getTime() / 1000) * 1000);
    }
  });

  it('marks a muted finding as suppressed and keeps its status', () => {
    const [record] = records(toOcsf([finding({ muted: true })], scan()));
    const { status, status_id, status_code } = detectionFinding.parse(record);
    assert.deepEqual([status, status_id, status_code], ['Suppressed', 3, 'FAIL']);
  });

  it('writes finding UIDs that are stable across scans, even for repeated resource IDs', () => {
    const repeated = (id: string) => finding({ resource: { id } });
    const findings = [
      repeated('a'),
      repeated('a'),
      repeated('a#2'),
      repeated('a'),
      finding({ check: { id: 'other' } }),
    ];
    const first = uids(toOcsf(findings, scan()));
    assert.equal(new Set(first).size, findings.length);
    assert.equal(first[0], 'sluice-directory-signon_global_session_lifetime_18h-acme.directory.com-global-a');
    assert.equal(first[2], `${first[0]}#2`, 'the UID depends on other resources');
    const later = scan({ scanId: '019aa5f2-6c31-7b1e-9d3a-5f0c2b7e4a11', startedAt: new Date() });
    assert.deepEqual(uids(toOcsf(findings, later)), first);
  });

  it('writes different finding UIDs for two resources with the same name', () => {
    const named = (id: string) => finding({ resource: { id, name: 'Default Policy' } });
    const [one, other] = uids(toOcsf([named('00p1'), named('00p2')], scan()));
    assert.notEqual(one, other);
  });

  it('writes an empty JSON array if there are no findings', () => {
    assert.deepEqual(records(toOcsf([], scan())), []);
  });

  it('uses Okta names for an Okta organization', () => {
    const [record] = records(
      toOcsf(
        [finding()],
        scan({
          provider: 'okta',
          orgDomain: 'acme.okta-gov.com',
        }),
      ),
    );
    const { cloud, resources, unmapped: own } = detectionFinding.parse(record);
    assert.equal(cloud.provider, 'okta');
    assert.equal(resources[0].cloud_partition, 'okta-gov.com');
    assert.deepEqual(own.compliance, {
      [STIG.name(DIALECTS.okta)]: ['OKTA-APP-001665', 'V-273203'],
      'CIS-Controls-8.1': ['4.3'],
    });
  });
});

const GOLDEN = {
  message: 'Sessions last 24 hours; 18 hours are allowed.',
  metadata: {
    event_code: 'signon_global_session_lifetime_18h',
    product: { name: 'Sluice Scanner', uid: 'sluice-scanner', vendor_name: 'Sluice', version: '0.1.0' },
    profiles: ['cloud', 'datetime'],
    tenant_uid: '0oa1client',
    version: '1.5.0',
  },
  severity_id: 3,
  severity: 'Medium',
  status: 'New',
  status_code: 'FAIL',
  status_detail: 'Sessions last 24 hours; 18 hours are allowed.',
  status_id: 1,
  unmapped: {
    related_url: '',
    categories: ['identity-access'],
    depends_on: [],
    related_to: [],
    additional_urls: [],
    notes: '',
    compliance: {
      'Directory-IDaaS-STIG-V1R2': ['DIRECTORY-APP-001665', 'V-273203'],
      'CIS-Controls-8.1': ['4.3'],
    },
    scan_id: '019aa5f2-6c31-7b1e-9d3a-5f0c2b7e4a10',
    provider_uid: 'acme.directory.com',
    provider: 'directory',
  },
  activity_name: 'Create',
  activity_id: 1,
  finding_info: {
    analytic: {
      category: 'signon',
      name: check().title,
      related_analytics: [
        {
          category: 'Directory-IDaaS-STIG-V1R2',
          desc: 'SV-273203r1099958_rule',
          name: 'DIRECTORY-APP-001665',
          type: 'Rule',
          type_id: 1,
          uid: 'V-273203',
        },
      ],
      type: 'Rule',
      type_id: 1,
      uid: 'signon_global_session_lifetime_18h',
    },
    created_time: 1795251217,
    created_time_dt: '2026-11-21T08:53:37.587Z',
    desc: check().description,
    title: check().title,
    types: [],
    uid: 'sluice-directory-signon_global_session_lifetime_18h-acme.directory.com-global-00p1',
  },
  resources: [
    {
      cloud_partition: 'directory.com',
      region: 'global',
      data: {
        details: '',
        metadata: {
          arn: '',
          name: 'Default Policy',
          status: '',
          region: 'global',
          findings: [],
          tags: [],
          type: '',
          id: '00p1',
          priority: null,
        },
      },
      group: { name: 'signon' },
      labels: [],
      name: 'Default Policy',
      type: 'NotDefined',
      uid: '00p1',
    },
  ],
  category_name: 'Findings',
  category_uid: 2,
  class_name: 'Detection Finding',
  class_uid: 2004,
  cloud: {
    account: {
      name: 'acme.directory.com',
      type: 'Other',
      type_id: 99,
      uid: 'acme.directory.com',
      labels: [],
    },
    org: { name: 'acme.directory.com', uid: '0oa1client' },
    provider: 'directory',
    region: 'global',
  },
  remediation: {
    desc: 'Set the lifetime to 18 hours or less.',
    references: ['https://example.com/sessions', 'https://example.com/stig'],
  },
  risk_details: 'A stolen session stays usable.',
  time: 1795251217,
  time_dt: '2026-11-21T08:53:37.587Z',
  type_uid: 200401,
  type_name: 'Detection Finding: Create',
};
