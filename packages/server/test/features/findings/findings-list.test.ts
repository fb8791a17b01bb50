import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Resource } from '../../support/client.ts';
import { createFindingsTenant, type FindingsTenant, idsOf } from '../../support/findings-tenant.ts';
import { SEVERITY_NAMES } from '../../support/listed-findings.ts';
import { idsInOrder } from '../../support/sort-order.ts';
import { walkPages } from '../../support/walk-pages.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

const STATUSES = ['PASS', 'FAIL', 'MANUAL'];

describe('the findings list', () => {
  let tenant: FindingsTenant;
  const checkKeys = new Map<string, number>();
  before(async () => {
    tenant = await createFindingsTenant();
    const checks = await tenant.service.sql<{ id: string; key: string }>(
      `select provider_type || '.' || check_id as id, key from checks where tenant_id = $1`,
      [tenant.service.tenantId],
    );
    for (const { id, key } of checks) checkKeys.set(id, Number(key));
  });
  after(() => tenant.leave());

  const list = (query?: string) => tenant.list(query);
  const ordered = (keys: readonly string[]) =>
    idsInOrder(tenant.findings, withTies(keys), ({ provider, attributes }) => {
      const {
        severity,
        status,
        first_seen_at,
        last_seen_at,
        status_changed_at,
        check_id,
        account,
        resource,
      } = attributes;
      const ranks = { severity: SEVERITY_NAMES.indexOf(severity), status: STATUSES.indexOf(status) };
      return {
        ...ranks,
        first_seen_at,
        last_seen_at,
        status_changed_at,
        check_id,
        account,
        resource: resource.name,
        check: checkKeys.get(`${attributes.provider_type}.${check_id}`) ?? -1,
        provider,
      };
    });

  it('lists every finding with its latest values, and ignores deleted providers', async () => {
    const { body } = await list('page[size]=1000');
    assert.ok(tenant.ofDeletedProvider.length > 5 && tenant.findings.length > 50);
    const expected = new Map(tenant.findings.map((finding) => [finding.id, finding]));
    assert.equal(body.data.length, expected.size);
    for (const { type, id, attributes, relationships, links } of body.data) {
      const finding = expected.get(id);
      assert.ok(finding !== undefined);
      assert.deepEqual([type, attributes], ['findings', finding.attributes]);
      const { resource, resolved_by, ...others } = relationships;
      assert.equal(resource?.data.type, 'resources');
      assert.equal(resolved_by?.data, null);
      const related = Object.entries(others).map(([name, { data }]) => [name, data.type, data.id]);
      assert.deepEqual(related, [
        ['provider', 'providers', finding.provider],
        ['check', 'checks', `${finding.attributes.provider_type}.${finding.attributes.check_id}`],
        ['scan', 'scans', finding.scan],
        ['ingestion', 'ingestions', finding.ingestion],
      ]);
      assert.equal(links.self, `${tenant.service.url}/api/v1/findings/${id}`);
    }
  });

  it('links each listed finding to its related resources', async () => {
    const [finding] = (await list('page[size]=1')).body.data;
    const { resolved_by: _, ...related } = finding?.relationships ?? {};
    for (const { data, links } of Object.values(related)) {
      const { status, body } = await tenant.client.get<Resource>(
        links.related.slice(`${tenant.service.url}/api/v1`.length),
      );
      assert.deepEqual([status, body.data.type, body.data.id], [200, data.type, data.id]);
    }
  });

  it('lists the same findings by severity in pages of 10, forward and backward', async () => {
    const first = await list();
    assert.deepEqual(first.body.meta.pagination, {
      page: 1,
      pages: Math.ceil(tenant.findings.length / 10),
      count: tenant.findings.length,
    });
    const forth = await walkPages(tenant.service, first, 'next');
    assert.deepEqual(forth.flatMap(idsOf), ordered(['-severity']));
    const last = forth.at(-1);
    assert.ok(last !== undefined);
    const back = await walkPages(tenant.service, last, 'prev');
    assert.deepEqual(back.map(idsOf), forth.map(idsOf).reverse());
  });

  const keys = ['severity', 'status', 'last_seen_at', 'first_seen_at', 'status_changed_at'];
  for (const key of [...keys, 'check_id', 'account', 'id']) {
    it(`sorts findings by ${key} in both directions`, async () => {
      for (const sort of [key, `-${key}`])
        assert.deepEqual(idsOf(await list(`page[size]=1000&sort=${sort}`)), ordered([sort]));
    });
  }

  it('sorts findings by several keys in different directions', async () => {
    for (const keys of [
      ['-severity', 'check_id'],
      ['check_id', '-last_seen_at', 'severity'],
      ['status', '-severity'],
      ['-severity', '-status'],
    ])
      assert.deepEqual(idsOf(await list(`page[size]=1000&sort=${keys.join(',')}`)), ordered(keys));
  });

  it('returns only the fields that fields[findings] selects', async () => {
    for (const [fields, names] of [
      ['severity,check_title', ['check_title', 'severity']],
      ['', []],
    ] as const) {
      for (const { attributes } of (await list(`fields[findings]=${fields}`)).body.data)
        assert.deepEqual(Object.keys(attributes), names);
    }
  });

  it('includes each provider, check, scan and resource of the listed findings once, with the requested fields', async () => {
    const { body } = await list('include=provider,check,scan,resource&page[size]=1000&fields[checks]=title');
    const { included = [] } = body;
    const expected = new Set(
      body.data.flatMap(({ relationships }) =>
        ['provider', 'check', 'scan', 'resource'].map(
          (name) => `${relationships[name]?.data.type} ${relationships[name]?.data.id}`,
        ),
      ),
    );
    const got = included.map(({ type, id }) => `${type} ${id}`);
    assert.deepEqual(got.sort(), [...expected].sort());
    const check = included.find(({ id }) => id === 'azure.check_a');
    assert.deepEqual(check?.attributes, { title: 'Vaults are private' });
    const only = (await list('include=scan')).body;
    assert.ok(only.included?.every(({ type }) => type === 'scans'));
    assert.equal((await list()).body.included, undefined);
  });

  itRefusesQueries('/findings', () => tenant.client, [
    ['an unknown sort key', 'sort=title', 'sort'],
    ['an unknown field', 'fields[findings]=raw', 'fields[findings]'],
    ['an unknown field of an included resource', 'fields[checks]=color', 'fields[checks]'],
    ['fields of another resource type', 'fields[users]=email', 'fields[users]'],
    ['an unknown include value', 'include=check,ingestion', 'include'],
    ['an empty sort parameter', 'sort=', 'sort'],
    ['an empty sort key', 'sort=severity,,status', 'sort'],
    ['an invalid page number combined with a cursor', 'page[number]=0&page[after]=', 'page[number]'],
  ]);

  it('logs no errors while listing findings', () => assert.equal(tenant.service.output.stderr, ''));
});

/** The keys by which findings with the same values are sorted, before their ID. */
const TIES: Readonly<Record<string, readonly string[]>> = {
  severity: ['status', 'check', 'provider'],
  status: ['check', 'provider'],
  check_id: ['provider'],
  account: ['check_id'],
};

/** Ties are sorted in the direction of the last key. */
function withTies(keys: readonly string[]): readonly string[] {
  const last = keys.at(-1) ?? '';
  const direction = last.startsWith('-') ? '-' : '';
  return [...keys, ...(TIES[last.replace('-', '')] ?? []).map((key) => `${direction}${key}`)];
}
