import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { countTenantsToBackfill, findDimensionFaults } from '../support/dimension-faults.ts';
import { parseCsvTable } from '../support/parse-csv.ts';
import { record } from '../support/records.ts';
import { assertRefused, assertTemporary } from '../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import { until } from '../support/until.ts';
import { startUpgradedService, type UpgradedService } from '../support/upgraded-service.ts';

const COUNT = 90;
const RESOURCES = 20;
const TYPES = ['Bucket', 'User', 'Key'];
const GROUPINGS = ['check', 'resource', 'account', 'service', 'region'] as const;

/** Each third finding changes its status in the second upload. */
function findings(upload: number): Record<string, unknown>[] {
  return Array.from({ length: COUNT }, (_, n) => {
    const resource = n % RESOURCES;
    const check = n % 7;
    return record({
      time: 1_780_000_000 + n + 1000 * upload,
      severity_id: 1 + (n % 5),
      status_code: (n + (n % 3 === 0 ? upload : 0)) % 2 === 0 ? 'FAIL' : 'PASS',
      finding_info: { uid: `finding ${n}`, title: `Title of check ${check}` },
      metadata: { event_code: `check_${check}` },
      cloud: { provider: 'aws', account: { uid: `11112222000${resource % 3}`, name: 'Production' } },
      resources: hasResource(n)
        ? [
            {
              uid: `arn:${resource}`,
              name: `Name ${resource}`,
              type: TYPES[resource % 3],
              region: `region-${resource % 4}`,
              group: { name: `service-${resource % 5}` },
            },
          ]
        : [],
      risk_details: `Risk of check ${check}`,
      remediation: { desc: `Remedy of check ${check}`, references: [] },
      unmapped: { categories: [`category-${check % 3}`], scan_id: `scan ${resource % 3}` },
    });
  });
}

function hasResource(n: number): boolean {
  return n % RESOURCES !== 5;
}

const LISTS = [
  '',
  ...['check_id', '-resource', 'account', '-status', 'last_seen_at'].map((key) => `sort=${key}`),
];
const FILTERS = [
  'filter[check_id]=check_3',
  'filter[category__in]=category-1,category-2',
  'filter[service]=service-2',
  'filter[region__in]=region-1,region-3',
  'filter[resource_type]=Key',
  'filter[resource_uid]=arn:4',
  'filter[delta]=changed',
  'filter[search]=title%20name',
  ...['service', 'region', 'resource_type', 'resource_uid', 'product'].map((name) => `filter[${name}]=`),
];
const READS = [
  ...[...LISTS, ...FILTERS].map((query) => `/findings?page[size]=100&${query}`),
  ...['', ...FILTERS].map((query) => `/findings/summary?${query}`),
  '/checks?page[size]=100',
  '/checks?sort=-failing',
  '/providers',
  '/scans',
  ...['', 'filter[check_id]=check_3', 'filter[service]=service-2'].map(
    (query) => `/findings/trend?days=1&${query}`,
  ),
];
const NEW_READS = [
  ...GROUPINGS.map((by) => `/findings/groups?page[size]=100&by=${by}`),
  '/findings/groups?by=check&filter[status]=FAIL&fields[finding-groups]=total',
  '/resources?page[size]=100',
  '/resources?sort=-last_seen_at',
  '/resources?fields[resources]=name',
];

describe('a tenant of an upgraded database whose findings have no keys yet', () => {
  let service: UpgradedService;
  let client: Client;
  let second: SecondTenant;
  let resourceId: string;
  let reads: readonly string[];
  let expected: ReadonlyMap<string, unknown>;
  let expectedNew: ReadonlyMap<string, unknown>;
  before(async () => {
    service = await startUpgradedService();
    client = createClient(service.url, service.key);
    for (const upload of [0, 1]) await client.ingest(findings(upload));
    second = await createSecondTenant(service);
    await second.client.ingest(findings(0));
    const scans = await client.get<Resource[]>('/scans');
    reads = [...READS, ...scans.body.data.map(({ id }) => `/findings?page[size]=100&filter[scan]=${id}`)];
    expected = await read(reads);
    expectedNew = await read(NEW_READS);
    const { body } = await client.get<Resource[]>('/resources');
    resourceId = body.data[0]?.id ?? '';
    service = await service.forgetKeys();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  /** The responses by request, independent of the port of the service. */
  const read = async (paths: readonly string[]) => {
    const responses = new Map<string, unknown>();
    for (const path of paths) {
      const { status, text } = await client.get(path);
      assert.equal(status, 200, `${path}: ${text}`);
      responses.set(path, JSON.parse(text.replaceAll(service.url, '')));
    }
    return responses;
  };
  const assertTrendBeginsToday = async () => {
    const { days } = (await client.get<Resource>('/findings/trend')).body.data.attributes;
    const { failed } = (await client.get<Resource>('/findings/summary')).body.data.attributes;
    assert.ok(Array.isArray(days));
    assert.deepEqual(
      days.map((day) => day.failed),
      [failed],
    );
  };
  const assertUnavailable = async (path: string) => {
    const response = await client.get(path);
    assertTemporary(response, [503, 'upgrade_in_progress', '30']);
    assertRefused(response, {
      status: 503,
      code: 'upgrade_in_progress',
      detail: /^An upgrade of the tenant's findings is in progress\. Try again when it has finished\.$/,
    });
  };

  it('gets 503 for groups and for the list of resources', async () => {
    for (const path of NEW_READS) await assertUnavailable(path);
  });

  it('gets 503 for filters by resource, in each request that supports them', async () => {
    for (const filter of [`filter[resource]=${resourceId}`, `filter[resource__in]=${resourceId}`])
      for (const path of ['', '/summary', '/groups', '/export']) {
        const options = { '/groups': 'by=check&', '/export': 'format=csv&' }[path] ?? '';
        await assertUnavailable(`/findings${path}?${options}${filter}`);
      }
  });

  it('gets the same findings, counts, checks and providers as with keys', async () => {
    for (const [path, response] of await read(reads))
      assert.deepEqual(withoutResources(response), withoutResources(expected.get(path)), path);
  });

  it('gets the texts of the checks in the export', async () => {
    const response = await fetch(`${service.url}/api/v1/findings/export?format=csv`, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    const rows = parseCsvTable(await response.text());
    assert.equal(rows.length, COUNT);
    for (const { uid, check_id, check_title, risk, remediation, categories } of rows) {
      const check = Number(uid?.split(' ')[1]) % 7;
      assert.deepEqual(
        [check_id, check_title, risk, remediation, categories],
        [
          `check_${check}`,
          `Title of check ${check}`,
          `Risk of check ${check}`,
          `Remedy of check ${check}`,
          `category-${check % 3}`,
        ],
      );
    }
  });

  it('gets a trend that begins with the upgrade', async () => {
    await assertTrendBeginsToday();
  });

  it('does not affect a tenant whose findings have keys', async () => {
    const client = createClient(service.url, second.key);
    for (const path of NEW_READS) assert.equal((await client.get(path)).status, 200, path);
  });

  it('gets groups and resources with the same counts as before after a worker has backfilled its findings', async () => {
    service = await service.restartWithWorkers();
    client = createClient(service.url, service.key);
    await until(async () => (await countTenantsToBackfill(service.databaseUrl)) === 0);
    assert.deepEqual(await findDimensionFaults(service.databaseUrl), []);
    for (const by of GROUPINGS) {
      const { body } = await client.get<Resource[]>(`/findings/groups?page[size]=100&by=${by}`);
      assert.equal(sum(body.data.map(({ attributes: { total } }) => Number(total))), COUNT, by);
    }
    const { body } = await client.get<Resource[]>('/resources?page[size]=100');
    const counts = body.data.map(({ attributes }) => Object(attributes.findings).total);
    const withResource = Array.from({ length: COUNT }, (_, n) => hasResource(n)).filter(Boolean).length;
    assert.deepEqual([counts.length, sum(counts)], [RESOURCES - 1, withResource]);
    for (const [path, response] of await read(NEW_READS))
      assert.deepEqual(response, expectedNew.get(path), path);
    for (const [path, response] of await read(reads)) assert.deepEqual(response, expected.get(path), path);
    await assertTrendBeginsToday();
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Without the relationships to resources, which findings have only with keys. */
function withoutResources(response: unknown): unknown {
  return JSON.parse(
    JSON.stringify(response, (name, value) =>
      name === 'relationships' ? { ...value, resource: undefined } : value,
    ),
  );
}
