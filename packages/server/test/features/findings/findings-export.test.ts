import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EXPORT_LOCK_CLASS } from '../../../src/db/advisory-locks.ts';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { parseCsvTable } from '../../support/parse-csv.ts';
import { record } from '../../support/records.ts';

const SORTS = ['-severity', 'id', 'account,-check_id', '-resource', 'last_seen_at', '-status,first_seen_at'];

/** Texts from records, and how a CSV file contains them. */
const FORMULAS = [
  ['=1+1', "'=1+1"],
  ['  =1+1', "'  =1+1"],
  ['"=1+1"', `'"=1+1"`],
  ['+49 30', "'+49 30"],
  ['-', "'-"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['a;=1+1', "a;'=1+1"],
  ['a; "@b";-c', `a;' "@b";'-c`],
  ['＝1', "'＝1"],
  ['a=1, b-c; d', 'a=1, b-c; d'],
] as const;

describe('the findings export', () => {
  let service: SharedService;
  let client: Client;
  const records: Record<string, unknown>[] = FORMULAS.map(([text], position) =>
    record({
      severity_id: (position % 5) + 1,
      time: 1_780_000_000 + (position % 3),
      status_code: position % 2 === 0 ? 'FAIL' : 'PASS',
      status_detail: text,
      finding_info: { uid: `finding ${position}` },
      metadata: { event_code: `check_${position % 4}` },
      cloud: { account: { uid: `11112222333${position % 3}` } },
      resources: position === 4 ? [] : [{ uid: `resource-${position % 6}`, name: `Name, ${position % 6}` }],
    }),
  );
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    const { attributes } = await client.ingest(records);
    assert.equal(attributes.status, 'completed');
  });
  after(() => service.leave());

  const exported = async (query: string) => {
    const response = await fetch(`${service.url}/api/v1/findings/export?${query}`, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const listed = async (query: string) => {
    const { body } = await client.get<Resource[]>(`/findings?page[size]=1000&${query}`);
    return body.data;
  };

  it('contains the findings of the list in the same order and under the same filters, in each format', async () => {
    for (const query of [
      ...SORTS.map((sort) => `sort=${sort}`),
      'filter[status]=FAIL',
      'filter[search]=name',
    ]) {
      const expected = (await listed(query)).map(({ id }) => id);
      assert.ok(expected.length > 3, query);
      const csv = await exported(`format=csv&${query}`);
      assert.deepEqual([csv.status, csv.headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
      assert.deepEqual(
        parseCsvTable(csv.text).map(({ id }) => id),
        expected,
        query,
      );
      const ndjson = await exported(`format=ndjson&${query}`);
      const lines = ndjson.text.trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).id),
        expected,
        query,
      );
      const ocsf = await exported(`format=ocsf&${query}`);
      assert.equal(ocsf.status, 200, ocsf.text);
      assert.equal(JSON.parse(ocsf.text).length, expected.length, query);
    }
  });

  it('contains the values of each finding', async () => {
    const findings = new Map((await listed('')).map((finding) => [finding.id, finding]));
    const { text } = await exported('format=ndjson');
    for (const line of text.trimEnd().split('\n')) {
      const {
        id,
        link,
        account_alias,
        risk,
        remediation,
        compliance,
        resource_uid,
        resource_name,
        resource_type,
        ...values
      } = JSON.parse(line);
      const attributes = findings.get(id)?.attributes ?? {};
      const resource = { uid: resource_uid, name: resource_name, type: resource_type };
      const { previous, ...expected } = attributes;
      assert.deepEqual({ ...values, resource }, expected);
      assert.equal(previous, null);
      assert.deepEqual(
        [link, account_alias, risk, remediation, compliance],
        [`${service.url}/findings?finding=${id}`, null, 'Anybody can read it.', 'Block public access.', []],
      );
    }
  });

  it('escapes formulas in CSV cells, including those after a semicolon', async () => {
    const rows = parseCsvTable((await exported('format=csv')).text);
    const byUid = new Map(rows.map((row) => [row.uid, row.status_detail]));
    for (const [position, [, expected]] of FORMULAS.entries())
      assert.equal(byUid.get(`finding ${position}`), expected);
  });

  it('returns the submitted records as OCSF', async () => {
    const { status, text } = await exported('format=ocsf&sort=id');
    assert.equal(status, 200, text);
    const uidOf = (one: Record<string, unknown>) => JSON.stringify(one.finding_info);
    const sorted = (all: Record<string, unknown>[]) => all.toSorted((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
    assert.deepEqual(sorted(JSON.parse(text)), sorted(records));
    assert.equal((await exported('format=ocsf&filter[uid]=none')).text, '[]\n');
  });

  it('rejects an export as OCSF with 410 only if the file of a matching record was removed', async () => {
    const { id } = await client.ingest([record({ finding_info: { uid: 'removed' } })]);
    await service.sql('update ingestions set blob_removed_at = now() where id = $1', [id]);
    try {
      assert.equal((await exported('format=ocsf&filter[uid]=finding 1')).status, 200);
      const { status, text } = await exported('format=ocsf');
      assert.deepEqual([status, JSON.parse(text).errors[0].code], [410, 'file_removed']);
    } finally {
      await service.sql('update ingestions set blob_removed_at = null where id = $1', [id]);
    }
  });

  it('does not resume an export as OCSF', async () => {
    const [first] = await listed('');
    const { status, text } = await exported(`format=ocsf&page[after]=${first?.id}`);
    assert.deepEqual([status, JSON.parse(text).errors[0].source], [400, { parameter: 'page[after]' }]);
  });

  it('responds to a HEAD request without the length of a body', async () => {
    const response = await fetch(`${service.url}/api/v1/findings/export?format=csv`, {
      method: 'HEAD',
      headers: { authorization: `Api-Key ${service.key}` },
    });
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), response.headers.get('content-length')],
      [200, 'text/csv; charset=utf-8', null],
    );
  });

  it('rejects an export with 429 while another process exports findings of the tenant', async () => {
    const other = await service.connect();
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock($1, hashtext($2))', [
        EXPORT_LOCK_CLASS,
        service.tenantId,
      ]);
      const { status, headers, text } = await exported('format=csv');
      const [{ code, meta }] = JSON.parse(text).errors;
      assert.deepEqual([status, headers.get('retry-after'), code], [429, '10', 'too_many_exports']);
      assert.deepEqual(meta, { limit: 'exports_at_once_per_tenant', max: 1 });
      await other.query('rollback');
      assert.equal((await exported('format=csv')).status, 200);
    } finally {
      await other.end();
    }
  });
});
