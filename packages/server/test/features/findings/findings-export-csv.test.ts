import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { parseCsvTable } from '../../support/parse-csv.ts';
import { record } from '../../support/records.ts';

const FIRST_SCAN = Date.UTC(2026, 3, 1, 8) / 1000;
const SECOND_SCAN = Date.UTC(2026, 3, 2, 9, 30) / 1000;
const ALIAS = 'Shop, "live"';
const FORMULA_ALIAS = '+alias';

/** A finding with every value. */
const complete = (time: number, status: 'PASS' | 'FAIL') =>
  record({
    time,
    severity_id: 5,
    status_code: status,
    status_detail: 'The bucket is public.',
    finding_info: { uid: 'complete', title: 'Buckets are not public' },
    metadata: { event_code: 'bucket_not_public', product: { name: 'Cloud scanner' } },
    cloud: { provider: 'aws', account: { uid: '111122223333' } },
    resources: [
      { uid: 'arn:aws:s3:::one', name: 'Ärger', type: 'Bucket', region: 'eu-west-1', group: { name: 's3' } },
    ],
    risk_details: 'Anybody, "even" robots,\ncan read it.',
    remediation: { desc: 'Block public access; then check.' },
    unmapped: {
      categories: ['internet-exposed', 'encryption'],
      compliance: { 'CIS-1.5': ['1.20', '2.1'], SOC2: ['cc_6_1'] },
    },
  });

/** A finding without optional values. */
const BARE = {
  class_uid: 2004,
  time: SECOND_SCAN,
  status_code: 'PASS',
  metadata: { event_code: 'bare_check' },
  finding_info: { uid: 'bare' },
  cloud: { provider: 'azure', account: { uid: 'bare' } },
};

/** A finding whose texts are formulas: some of them follow white space, quotes, a semicolon or a line break. */
const FORMULAS = record({
  time: SECOND_SCAN,
  finding_info: { uid: '-uid', title: '=title' },
  metadata: { event_code: '=check_1', product: { name: '@product' } },
  cloud: { provider: 'gcp', account: { uid: '=account' } },
  resources: [
    { uid: 'uid;=1', name: 'a; "@b";-c', type: '+type', region: 'r;=2', group: { name: '"=service' } },
  ],
  risk_details: 'Risk\n;\n=3',
  status_detail: 'Detail\n=4\r@5\n\n"-6',
  remediation: { desc: '\t=remediation' },
  unmapped: { categories: ['a', '=category'], compliance: { CIS: ['1'], '-framework': ['2'] } },
});

describe('a CSV export of findings', () => {
  let service: SharedService;
  let client: Client;
  let rows: Map<string, Record<string, string>>;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    await client.ingest([complete(FIRST_SCAN, 'PASS')]);
    const { attributes } = await client.ingest([complete(SECOND_SCAN, 'FAIL'), BARE, FORMULAS]);
    assert.equal(attributes.status, 'completed');
    await setAlias('111122223333', ALIAS);
    await setAlias('=account', FORMULA_ALIAS);
    const response = await fetch(`${service.url}/api/v1/findings/export?format=csv`, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    assert.equal(response.status, 200);
    rows = new Map(parseCsvTable(await response.text()).map((row) => [row.uid ?? '', row]));
    assert.equal(rows.size, 3);
  });
  after(() => service.leave());

  const setAlias = async (account: string, alias: string) => {
    const found = await client.get<Resource[]>(`/providers?filter[account]=${encodeURIComponent(account)}`);
    const { type, id } = found.body.data[0] ?? assert.fail(account);
    const changed = await client.document('PATCH', `/providers/${id}`, { type, id, attributes: { alias } });
    assert.equal(changed.status, 200);
  };
  const idOf = async (uid: string) => {
    const { body } = await client.get<Resource[]>(`/findings?filter[uid]=${uid}`);
    return body.data[0]?.id ?? assert.fail(uid);
  };

  it('contains the values of the latest record, the account and the check in a CSV export', async () => {
    const id = await idOf('complete');
    assert.deepEqual(rows.get('complete'), {
      id,
      provider_type: 'aws',
      account: '111122223333',
      account_alias: ALIAS,
      check_id: 'bucket_not_public',
      check_title: 'Buckets are not public',
      severity: 'critical',
      state: 'open',
      status: 'FAIL',
      muted: 'false',
      delta: 'changed',
      status_detail: 'The bucket is public.',
      resource_uid: 'arn:aws:s3:::one',
      resource_name: 'Ärger',
      resource_type: 'Bucket',
      region: 'eu-west-1',
      service: 's3',
      first_seen_at: '2026-04-01T08:00:00.000000Z',
      last_seen_at: '2026-04-02T09:30:00.000000Z',
      status_changed_at: '2026-04-02T09:30:00.000000Z',
      resolved_at: '',
      risk: 'Anybody, "even" robots,\ncan read it.',
      remediation: 'Block public access; then check.',
      categories: 'internet-exposed; encryption',
      compliance: 'CIS-1.5 1.20; CIS-1.5 2.1; SOC2 cc_6_1',
      product: 'Cloud scanner',
      uid: 'complete',
      link: `${service.url}/findings?finding=${id}`,
    });
  });

  it('leaves the cells of missing values empty in a CSV export', () => {
    const row = rows.get('bare') ?? assert.fail();
    const empty = Object.keys(row).filter((column) => row[column] === '');
    assert.deepEqual(empty, [
      'account_alias',
      'check_title',
      'status_detail',
      'resource_uid',
      'resource_name',
      'resource_type',
      'region',
      'service',
      'resolved_at',
      'risk',
      'remediation',
      'categories',
      'compliance',
      'product',
    ]);
  });

  it('escapes formulas in every text column of a CSV export', () => {
    const row = rows.get("'-uid") ?? assert.fail();
    for (const [column, expected] of Object.entries({
      account: "'=account",
      account_alias: "'+alias",
      check_id: "'=check_1",
      check_title: "'=title",
      resource_uid: "uid;'=1",
      resource_name: `a;' "@b";'-c`,
      resource_type: "'+type",
      region: "r;'=2",
      service: `'"=service`,
      risk: "Risk\n;\n'=3",
      status_detail: `Detail\n'=4\r'@5\n\n'"-6`,
      remediation: "'\t=remediation",
      categories: "a;' =category",
      compliance: "CIS 1;' -framework 2",
      product: "'@product",
    }))
      assert.equal(row[column], expected, column);
  });
});
