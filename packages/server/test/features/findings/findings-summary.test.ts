import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createFindingsTenant, type FindingsTenant } from '../../support/findings-tenant.ts';
import { type ListedFinding, SEVERITY_NAMES } from '../../support/listed-findings.ts';

interface Summary {
  readonly type: string;
  readonly id: string;
  readonly attributes: Record<string, unknown>;
}

describe('the findings summary', () => {
  let tenant: FindingsTenant;
  before(async () => {
    tenant = await createFindingsTenant();
  });
  after(() => tenant.leave());

  const summary = async (query = '') => {
    const { status, body } = await tenant.client.get<Summary>(`/findings/summary?${query}`);
    assert.equal(status, 200, JSON.stringify(body.errors));
    assert.deepEqual([body.data.type, body.data.id], ['finding-summaries', 'findings']);
    return body.data.attributes;
  };
  const expected = (condition: (finding: ListedFinding['attributes']) => boolean) =>
    expectedOf(tenant.findings.filter(({ attributes }) => condition(attributes)));

  it('counts findings by every dimension, and ignores deleted providers', async () => {
    assert.deepEqual(
      await summary(),
      expected(() => true),
    );
  });

  for (const [query, condition] of [
    ['filter[muted]=false', ({ muted }) => !muted],
    [
      'filter[status]=FAIL&filter[provider_type]=aws',
      (f) => f.status === 'FAIL' && f.provider_type === 'aws',
    ],
    ['filter[severity__in]=other,critical', ({ severity }) => ['other', 'critical'].includes(severity)],
    ['filter[delta]=changed', ({ delta }) => delta === 'changed'],
    [
      'filter[delta__in]=new,unchanged&filter[service__in]=s3,none',
      (f) => f.delta !== 'changed' && f.service === 's3',
    ],
    ['filter[region]=us-east-1', ({ region }) => region === 'us-east-1'],
    ['filter[region__in]=us-east-1,us-east-2', ({ region }) => region.startsWith('us-east-')],
    ['filter[resource_type]=Vault', ({ resource }) => resource.type === 'Vault'],
    ['filter[product]=Image%20scanner', ({ product }) => product === 'Image scanner'],
    ['filter[resource_uid]=arn:3:R', ({ resource }) => resource.uid === 'arn:3:R'],
    [
      'filter[resource_uid__in]=arn:3:R,arn:4:R&filter[status]=PASS',
      ({ resource, status }) => ['arn:3:R', 'arn:4:R'].includes(resource.uid) && status === 'PASS',
    ],
    [
      'filter[region]=us-east-2&filter[product]=Cloud%20scanner&filter[resource_type]=Bucket',
      ({ region, product, resource }) =>
        region === 'us-east-2' && product === 'Cloud scanner' && resource.type === 'Bucket',
    ],
    [
      'filter[region]=eu-central-1&filter[check_id]=check_a&filter[account]=acc-1&filter[muted]=false',
      (f) => f.region === 'eu-central-1' && f.check_id === 'check_a' && f.account === 'acc-1' && !f.muted,
    ],
    ['filter[category]=encryption', ({ categories }) => categories.includes('encryption')],
    ['filter[search]=vaults', ({ check_title }) => check_title.startsWith('Vaults')],
    ['filter[last_seen_at__lte]=2026-03-09', ({ last_seen_at }) => last_seen_at < '2026-03-10'],
    ['filter[account]=gone', () => false],
  ] as [string, (finding: ListedFinding['attributes']) => boolean][]) {
    it(`counts the findings that match ${query}`, async () => {
      assert.deepEqual(await summary(query), expected(condition));
    });
  }

  it('counts the findings of a resource', async () => {
    const resources = new Map(
      (await tenant.list('page[size]=1000')).body.data.map(({ id, relationships }) => [
        id,
        relationships.resource?.data.id,
      ]),
    );
    for (const [finding, resource] of [...resources].slice(0, 10)) {
      const ofResource = tenant.findings.filter(({ id }) => resources.get(id) === resource);
      assert.ok(ofResource.some(({ id }) => id === finding));
      assert.deepEqual(await summary(`filter[resource]=${resource}`), expectedOf(ofResource));
      const failed = ofResource.filter(({ attributes: { status } }) => status === 'FAIL');
      const query = `filter[resource]=${resource}&filter[status]=FAIL`;
      assert.deepEqual(await summary(query), expectedOf(failed));
    }
  });

  it('returns only the requested fields of the findings summary', async () => {
    const { count, by_status } = await summary();
    assert.deepEqual(await summary('fields[finding-summaries]=count,by_status'), { count, by_status });
  });

  it('counts findings without a service, region or type, counts all services, and lists at most 1,000 services', async () => {
    const uploaded = Array.from({ length: 1101 }, (_, i) => ({
      class_uid: 2004,
      status_code: i === 1050 ? 'FAIL' : 'PASS',
      metadata: { event_code: 'many' },
      finding_info: { uid: `many-${i}` },
      cloud: { provider: 'gcp', account: { uid: 'many' } },
      resources: [{ uid: `r-${i}`, ...(i > 0 && { group: { name: `service-${i}` } }) }],
    }));
    await tenant.client.ingest(uploaded);
    const { count, services, by_service } = await summary('filter[provider_type]=gcp');
    assert.deepEqual([count, services], [1101, 1101]);
    assert.ok(Array.isArray(by_service));
    assert.equal(by_service.length, 1000);
    assert.deepEqual(by_service[0], { service: 'service-1050', count: 1, failed: 1 });
    const none = await summary('filter[provider_type]=gcp&filter[resource_uid]=r-0');
    assert.deepEqual(none.by_service, [{ service: null, count: 1, failed: 0 }]);
    assert.deepEqual(none.by_region, [{ region: null, count: 1, failed: 0 }]);
    assert.deepEqual(none.by_resource_type, [{ resource_type: null, count: 1, failed: 0 }]);
    for (const name of ['region', 'resource_type', 'product'])
      assert.equal((await summary(`filter[provider_type]=gcp&filter[${name}]=`)).count, 1101, name);
    const { count: ofEmptyName } = await summary('filter[provider_type]=gcp&filter[service]=');
    assert.equal(ofEmptyName, 1, 'an empty name must match findings without a service');
  });

  it('returns 400 for an invalid parameter of the findings summary and names the parameter', async () => {
    for (const [query, parameter] of [
      ['filter[color]=red', 'filter[color]'],
      ['filter[severity]=5', 'filter[severity]'],
      ['sort=severity', 'sort'],
      ['page[size]=1', 'page[size]'],
      ['page[after]=', 'page[after]'],
      ['include=check', 'include'],
      ['fields[findings]=status', 'fields[findings]'],
      ['fields[finding-summaries]=color', 'fields[finding-summaries]'],
    ] as const) {
      const { status, body } = await tenant.client.get(`/findings/summary?${query}`);
      assert.deepEqual([status, body.errors[0]?.source], [400, { parameter }], query);
    }
  });
});

function expectedOf(findings: readonly ListedFinding[]): Summary['attributes'] {
  const all = findings.map(({ attributes }) => attributes);
  const failed = (some: typeof all) => some.filter(({ status, muted }) => status === 'FAIL' && !muted).length;
  const counts = (key: 'status' | 'delta', names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, all.filter((each) => each[key] === name).length]));
  const counted = (some: typeof all) => ({ count: some.length, failed: failed(some) });
  const ranked = <Value extends { count: number; failed: number }>(
    values: Value[],
    key: (value: Value) => string,
  ) => values.sort((a, b) => b.failed - a.failed || b.count - a.count || (key(a) < key(b) ? -1 : 1));
  const providers = [...new Set(findings.map(({ provider }) => provider))].map((id) => {
    const own = findings.filter(({ provider }) => provider === id).map(({ attributes }) => attributes);
    const [first] = own;
    return { id, provider_type: first?.provider_type, account: first?.account, ...counted(own) };
  });
  const by = (name: string, valuesOf: (finding: ListedFinding['attributes']) => readonly string[]) =>
    ranked(
      [...new Set(all.flatMap(valuesOf))].map((value) => ({
        [name]: value,
        value,
        ...counted(all.filter((each) => valuesOf(each).includes(value))),
      })),
      ({ value }) => value,
    ).map(({ value: _, ...entry }) => entry);
  const services = by('service', ({ service }) => [service]);
  const regions = by('region', ({ region }) => [region]);
  const types = by('resource_type', ({ resource }) => [resource.type]);
  const categories = by('category', (finding) => finding.categories);
  return {
    ...counted(all),
    muted: all.filter(({ muted }) => muted).length,
    by_status: counts('status', ['PASS', 'FAIL', 'MANUAL']),
    by_severity: Object.fromEntries(
      SEVERITY_NAMES.map((name) => [name, counted(all.filter(({ severity }) => severity === name))]),
    ),
    by_delta: counts('delta', ['new', 'changed', 'unchanged']),
    by_provider: ranked(providers, ({ id }) => id),
    providers: providers.length,
    by_service: services,
    services: services.length,
    by_region: regions,
    regions: regions.length,
    by_resource_type: types,
    resource_types: types.length,
    by_category: categories,
    categories: categories.length,
  };
}
