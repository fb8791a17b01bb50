import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type Client, createClient, type Resource } from '../../support/client.ts';
import { deleteButHold, type HeldProvider } from '../../support/held-provider.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { type ListedFinding, type SeededFindings, seedFindings } from '../../support/listed-findings.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { idsInOrder } from '../../support/sort-order.ts';
import { walkPages } from '../../support/walk-pages.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

type Condition = (finding: ListedFinding['attributes'], all: ListedFinding) => boolean;

const SEVERITIES = ['unknown', 'informational', 'low', 'medium', 'high', 'critical', 'fatal', 'other'];
const STATUSES = ['PASS', 'FAIL', 'MANUAL'];

describe('the findings list', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let seeded: SeededFindings;
  let deletedProvider: HeldProvider;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    seeded = await seedFindings(service, client, second.client);
    deletedProvider = await deleteButHold(service, seeded.ofDeletedProvider[0]?.provider ?? '');
  });
  after(async () => {
    await deletedProvider.letGo();
    await service.leave();
  });

  const list = async (query = ''): Promise<ApiResponse<Resource[]>> => {
    const response = await client.get<Resource[]>(`/findings?${query}`);
    assert.equal(response.status, 200, `${query}: ${JSON.stringify(response.body.errors)}`);
    return response;
  };
  const idsOf = ({ body }: ApiResponse<Resource[]>) => body.data.map(({ id }) => id);
  const found = async (query: string) => idsOf(await list(`page[size]=1000&${query}`)).sort();
  const where = (condition: Condition) =>
    seeded.findings
      .filter((finding) => condition(finding.attributes, finding))
      .map(({ id }) => id)
      .sort();
  const ordered = (keys: readonly string[]) =>
    idsInOrder(seeded.findings, withTies(keys), ({ attributes }) => {
      const { severity, status, first_seen_at, last_seen_at, check_id } = attributes;
      const ranks = { severity: SEVERITIES.indexOf(severity), status: STATUSES.indexOf(status) };
      return { ...ranks, first_seen_at, last_seen_at, check_id };
    });
  const one = (condition: Condition) =>
    seeded.findings.find((each) => condition(each.attributes, each)) ?? assert.fail();

  it('lists every finding with its latest values, and ignores deleted providers', async () => {
    const { body } = await list('page[size]=1000');
    assert.ok(seeded.ofDeletedProvider.length > 5 && seeded.findings.length > 50);
    const expected = new Map(seeded.findings.map((finding) => [finding.id, finding]));
    assert.equal(body.data.length, expected.size);
    for (const { type, id, attributes, relationships, links } of body.data) {
      const finding = expected.get(id);
      assert.ok(finding !== undefined);
      assert.deepEqual([type, attributes], ['findings', finding.attributes]);
      const related = Object.entries(relationships).map(([name, { data }]) => [name, data.type, data.id]);
      assert.deepEqual(related, [
        ['provider', 'providers', finding.provider],
        ['check', 'checks', `${finding.attributes.provider_type}.${finding.attributes.check_id}`],
        ['scan', 'scans', finding.scan],
        ['ingestion', 'ingestions', finding.ingestion],
      ]);
      assert.equal(links.self, `${service.url}/api/v1/findings/${id}`);
    }
  });

  it('links each listed finding to its related resources', async () => {
    const [finding] = (await list('page[size]=1')).body.data;
    for (const { data, links } of Object.values(finding?.relationships ?? {})) {
      const { status, body } = await client.get<Resource>(
        links.related.slice(`${service.url}/api/v1`.length),
      );
      assert.deepEqual([status, body.data.type, body.data.id], [200, data.type, data.id]);
    }
  });

  it('lists the same findings by severity in pages of 10, forward and backward', async () => {
    const first = await list();
    assert.deepEqual(first.body.meta.pagination, {
      page: 1,
      pages: Math.ceil(seeded.findings.length / 10),
      count: seeded.findings.length,
    });
    const forth = await walkPages(service, first, 'next');
    assert.deepEqual(forth.flatMap(idsOf), ordered(['-severity']));
    const last = forth.at(-1);
    assert.ok(last !== undefined);
    const back = await walkPages(service, last, 'prev');
    assert.deepEqual(back.map(idsOf), forth.map(idsOf).reverse());
  });

  for (const key of ['severity', 'status', 'last_seen_at', 'first_seen_at', 'check_id', 'id']) {
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

  const day = (time: string) => time.slice(0, 10);
  const filters: [string, () => string, Condition][] = [
    ['status', () => 'FAIL', ({ status }) => status === 'FAIL'],
    ['status__in', () => 'FAIL,MANUAL', ({ status }) => status !== 'PASS'],
    ['severity', () => 'other', ({ severity }) => severity === 'other'],
    ['severity', () => 'unknown', ({ severity }) => severity === 'unknown'],
    ['severity__in', () => 'critical, other', ({ severity }) => ['critical', 'other'].includes(severity)],
    ['delta', () => 'changed', ({ delta }) => delta === 'changed'],
    ['delta__in', () => 'new,unchanged', ({ delta }) => delta !== 'changed'],
    ['muted', () => 'true', ({ muted }) => muted],
    ['muted', () => 'false', ({ muted }) => !muted],
    ['provider_type', () => 'azure', ({ provider_type }) => provider_type === 'azure'],
    ['provider_type__in', () => 'azure,gcp', ({ provider_type }) => provider_type === 'azure'],
    ['account', () => 'acc-1', ({ account }) => account === 'acc-1'],
    ['account__in', () => 'acc-2,gone', ({ account }) => account === 'acc-2'],
    ['check_id', () => 'check_a', ({ check_id }) => check_id === 'check_a'],
    ['check_id__in', () => 'check_b,check_c', ({ check_id }) => check_id === 'check_b'],
    ['service', () => 'iam', (finding) => finding.service === 'iam'],
    ['service__in', () => 'iam,s3', (finding) => finding.service !== 'logs'],
    ['region', () => 'us-east-1', ({ region }) => region === 'us-east-1'],
    ['region__in', () => 'us-east-1,us-east-2', ({ region }) => region.startsWith('us')],
    ['uid', () => 'finding-3', ({ uid }) => uid === 'finding-3'],
    ['resource_uid', () => 'arn:3:R', ({ resource }) => resource.uid === 'arn:3:R'],
    ['resource_uid__in', () => 'arn:3:R,arn:4:R', ({ resource }) => /:[34]:/.test(resource.uid)],
    ['category', () => 'encryption', ({ categories }) => categories.includes('encryption')],
    [
      'category__in',
      () => 'logging,internet-exposed',
      ({ categories }) => categories.includes('logging') || categories.includes('internet-exposed'),
    ],
    ['provider', () => one(isAzure).provider, (_, { provider }) => provider === one(isAzure).provider],
    ['provider__in', () => `${one(isAzure).provider},${seeded.ofDeletedProvider[0]?.provider}`, isAzure],
    ['ingestion', () => seeded.ingestions[0], (_, { ingestion }) => ingestion === seeded.ingestions[0]],
    ['ingestion__in', () => seeded.ingestions[1], (_, { ingestion }) => ingestion === seeded.ingestions[1]],
    ['scan', () => one(isAzure).scan, (_, { scan }) => scan === one(isAzure).scan],
    [
      'scan__in',
      () =>
        [...new Set(seeded.findings.filter(({ attributes }) => isAzure(attributes)))]
          .map(({ scan }) => scan)
          .join(),
      isAzure,
    ],
    ['last_seen_at', () => '2026-02-28', ({ last_seen_at }) => day(last_seen_at) === '2026-02-28'],
    ['last_seen_at__gte', () => '2026-03-11', ({ last_seen_at }) => day(last_seen_at) >= '2026-03-11'],
    ['last_seen_at__lte', () => '2026-03-10', ({ last_seen_at }) => day(last_seen_at) <= '2026-03-10'],
    ['first_seen_at', () => '2026-03-01', ({ first_seen_at }) => day(first_seen_at) === '2026-03-01'],
    ['first_seen_at__gte', () => '2026-03-01', ({ first_seen_at }) => day(first_seen_at) >= '2026-03-01'],
    ['first_seen_at__lte', () => '2026-03-01', ({ first_seen_at }) => day(first_seen_at) <= '2026-03-01'],
    ['status_changed_at', () => '2026-03-10', (finding) => day(finding.status_changed_at) === '2026-03-10'],
    [
      'status_changed_at__gte',
      () => '2026-03-10',
      (finding) => day(finding.status_changed_at) >= '2026-03-10',
    ],
    [
      'status_changed_at__lte',
      () => '2026-03-01',
      (finding) => day(finding.status_changed_at) <= '2026-03-01',
    ],
    ['search', () => '100% PRIVATE', ({ check_title }) => check_title === 'Buckets are 100% private'],
    ['search', () => 'name 7', ({ resource }) => resource.name === 'Name 7'],
    ['search', () => 'ARN:7:', ({ resource }) => resource.uid === 'arn:7:R'],
    ['search', () => 'open_to', ({ status_detail }) => status_detail === 'It is open_to all.'],
  ];
  for (const [name, value, condition] of filters) {
    it(`lists and counts the findings that match filter[${name}]`, async () => {
      const expected = where(condition);
      assert.ok(
        expected.length > 0 && expected.length < seeded.findings.length,
        'the filter must match some findings but not all',
      );
      const query = `filter[${name}]=${encodeURIComponent(value())}`;
      assert.deepEqual(await found(query), expected, query);
      const { body } = await list(`${query}&page[size]=1`);
      assert.equal(body.meta.pagination.count, expected.length);
      const cursor = await list(`${query}&page[size]=1000&page[after]=`);
      assert.deepEqual(idsOf(cursor).sort(), expected);
    });
  }

  it('lists the findings that match all given filters', async () => {
    const query =
      'filter[provider_type]=aws&filter[category]=encryption&filter[search]=open&filter[severity__in]=high,low,other,fatal';
    const expected = where(
      ({ provider_type, categories, status_detail, severity }) =>
        provider_type === 'aws' &&
        categories.includes('encryption') &&
        status_detail.includes('open') &&
        ['high', 'low', 'other', 'fatal'].includes(severity),
    );
    assert.ok(expected.length > 1);
    assert.deepEqual(await found(query), expected);
  });

  it('lists no findings for filter values that are unknown, deleted or from another tenant', async () => {
    const foreign = await service.ownerSql<{ provider_id: string; ingestion_id: string }>(
      'select provider_id, ingestion_id from findings where tenant_id = $1 limit 1',
      [second.id],
    );
    const theirScans = await service.ownerSql<{ id: string }>('select id from scans where tenant_id = $1', [
      second.id,
    ]);
    for (const query of [
      `filter[provider]=${foreign[0]?.provider_id}`,
      `filter[ingestion]=${foreign[0]?.ingestion_id}`,
      `filter[scan]=${theirScans[0]?.id}`,
      `filter[provider]=${seeded.ofDeletedProvider[0]?.provider}`,
      `filter[scan]=${seeded.ofDeletedProvider[0]?.scan}`,
      'filter[account]=gone',
      'filter[check_id]=CHECK_A',
      'filter[search]=no%20such%20text',
      'page[number]=100000',
    ])
      assert.deepEqual(await found(query), [], query);
    const { body } = await second.client.get<Resource[]>('/findings?page[size]=1000');
    const ownIds = new Set([...seeded.findings, ...seeded.ofDeletedProvider].map(({ id }) => id));
    assert.ok(body.data.length > 0 && body.data.every(({ id }) => !ownIds.has(id)));
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

  it('includes each provider, check and scan of the listed findings once, with the requested fields', async () => {
    const { body } = await list('include=provider,check,scan&page[size]=1000&fields[checks]=title');
    const { included = [] } = body;
    const expected = new Set(
      body.data.flatMap(({ relationships }) =>
        ['provider', 'check', 'scan'].map(
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

  itRefusesQueries('/findings', () => client, [
    ['an unknown filter', 'filter[color]=red', 'filter[color]'],
    ['an unsupported filter operator', 'filter[muted__in]=true', 'filter[muted__in]'],
    ['an unknown severity', 'filter[severity]=High', 'filter[severity]'],
    ['a numeric severity', 'filter[severity__in]=high,4', 'filter[severity__in]'],
    ['an unknown status', 'filter[status]=fail', 'filter[status]'],
    ['a numeric value for muted', 'filter[muted]=1', 'filter[muted]'],
    ['a provider ID that is not a UUID', 'filter[provider]=aws', 'filter[provider]'],
    ['a scan ID that is not a UUID', 'filter[scan__in]=a', 'filter[scan__in]'],
    ['a nonexistent date', 'filter[last_seen_at__gte]=2026-02-30', 'filter[last_seen_at__gte]'],
    ['an unknown sort key', 'sort=title', 'sort'],
    ['an unknown field', 'fields[findings]=raw', 'fields[findings]'],
    ['an unknown field of an included resource', 'fields[checks]=color', 'fields[checks]'],
    ['fields of another resource type', 'fields[users]=email', 'fields[users]'],
    ['an unknown include value', 'include=check,ingestion', 'include'],
    ['an empty sort parameter', 'sort=', 'sort'],
    ['an empty sort key', 'sort=severity,,status', 'sort'],
    ['an empty list of scans', 'filter[scan__in]=', 'filter[scan__in]'],
    ['an empty list of services', 'filter[service__in]=', 'filter[service__in]'],
    ['a list with an empty service', 'filter[service__in]=s3,,iam', 'filter[service__in]'],
    ['an invalid page number combined with a cursor', 'page[number]=0&page[after]=', 'page[number]'],
  ]);

  it('logs no errors while listing findings', () => assert.equal(service.output.stderr, ''));
});

function isAzure({ provider_type }: ListedFinding['attributes']): boolean {
  return provider_type === 'azure';
}

/** Findings of the same severity are sorted by status and then by ID, in the same direction as the severity. */
function withTies(keys: readonly string[]): readonly string[] {
  const last = keys.at(-1) ?? '';
  return last.endsWith('severity') ? [...keys, last.replace('severity', 'status')] : keys;
}
