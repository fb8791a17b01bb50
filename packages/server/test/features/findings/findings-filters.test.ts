import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Resource } from '../../support/client.ts';
import { createFindingsTenant, type FindingsTenant, idsOf } from '../../support/findings-tenant.ts';
import type { ListedFinding } from '../../support/listed-findings.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

type Condition = (finding: ListedFinding['attributes'], all: ListedFinding) => boolean;

describe('the filters of the findings list', () => {
  let tenant: FindingsTenant;
  before(async () => {
    tenant = await createFindingsTenant();
  });
  after(() => tenant.leave());

  const list = (query?: string) => tenant.list(query);
  const found = async (query: string) => idsOf(await list(`page[size]=1000&${query}`)).sort();
  const where = (condition: Condition) =>
    tenant.findings
      .filter((finding) => condition(finding.attributes, finding))
      .map(({ id }) => id)
      .sort();
  const one = (condition: Condition) =>
    tenant.findings.find((each) => condition(each.attributes, each)) ?? assert.fail();

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
    ['resource_type', () => 'Vault', ({ resource }) => resource.type === 'Vault'],
    ['resource_type__in', () => 'Vault,Disk', ({ resource }) => resource.type === 'Vault'],
    ['product', () => 'Image scanner', ({ product }) => product === 'Image scanner'],
    ['product__in', () => 'Image scanner,Other', ({ product }) => product === 'Image scanner'],
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
    ['provider__in', () => `${one(isAzure).provider},${tenant.ofDeletedProvider[0]?.provider}`, isAzure],
    ['ingestion', () => tenant.ingestions[0], (_, { ingestion }) => ingestion === tenant.ingestions[0]],
    ['ingestion__in', () => tenant.ingestions[1], (_, { ingestion }) => ingestion === tenant.ingestions[1]],
    ['scan', () => one(isAzure).scan, (_, { scan }) => scan === one(isAzure).scan],
    [
      'scan__in',
      () =>
        [...new Set(tenant.findings.filter(({ attributes }) => isAzure(attributes)))]
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
    ['search', () => 'logs KEPT', ({ check_title }) => check_title === 'Logs are kept'],
    ['search', () => 'ARN:7:', ({ resource }) => resource.uid === 'arn:7:R'],
  ];
  for (const [name, value, condition] of filters) {
    it(`lists and counts the findings that match filter[${name}]`, async () => {
      const expected = where(condition);
      assert.ok(
        expected.length > 0 && expected.length < tenant.findings.length,
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
      'filter[provider_type]=aws&filter[category]=encryption&filter[search]=logs&filter[severity__in]=high,low,other,fatal';
    const expected = where(
      ({ provider_type, categories, check_title, severity }) =>
        provider_type === 'aws' &&
        categories.includes('encryption') &&
        check_title.startsWith('Logs') &&
        ['high', 'low', 'other', 'fatal'].includes(severity),
    );
    assert.ok(expected.length > 1);
    assert.deepEqual(await found(query), expected);
  });

  it('lists no findings for filter values that are unknown, deleted or from another tenant', async () => {
    const foreign = await tenant.service.ownerSql<{ provider_id: string; ingestion_id: string }>(
      'select provider_id, ingestion_id from findings where tenant_id = $1 limit 1',
      [tenant.second.id],
    );
    const theirScans = await tenant.service.ownerSql<{ id: string }>(
      'select id from scans where tenant_id = $1',
      [tenant.second.id],
    );
    for (const query of [
      `filter[provider]=${foreign[0]?.provider_id}`,
      `filter[ingestion]=${foreign[0]?.ingestion_id}`,
      `filter[scan]=${theirScans[0]?.id}`,
      `filter[provider]=${tenant.ofDeletedProvider[0]?.provider}`,
      `filter[scan]=${tenant.ofDeletedProvider[0]?.scan}`,
      'filter[account]=gone',
      'filter[check_id]=CHECK_A',
      'filter[search]=no%20such%20text',
      'page[number]=100000',
    ])
      assert.deepEqual(await found(query), [], query);
    const { body } = await tenant.second.client.get<Resource[]>('/findings?page[size]=1000');
    const ownIds = new Set([...tenant.findings, ...tenant.ofDeletedProvider].map(({ id }) => id));
    assert.ok(body.data.length > 0 && body.data.every(({ id }) => !ownIds.has(id)));
  });

  itRefusesQueries('/findings', () => tenant.client, [
    ['an unknown filter', 'filter[color]=red', 'filter[color]'],
    ['an unsupported filter operator', 'filter[muted__in]=true', 'filter[muted__in]'],
    ['an unknown severity', 'filter[severity]=High', 'filter[severity]'],
    ['a numeric severity', 'filter[severity__in]=high,4', 'filter[severity__in]'],
    ['an unknown status', 'filter[status]=fail', 'filter[status]'],
    ['a numeric value for muted', 'filter[muted]=1', 'filter[muted]'],
    ['a provider ID that is not a UUID', 'filter[provider]=aws', 'filter[provider]'],
    ['a scan ID that is not a UUID', 'filter[scan__in]=a', 'filter[scan__in]'],
    ['a nonexistent date', 'filter[last_seen_at__gte]=2026-02-30', 'filter[last_seen_at__gte]'],
    ['an empty list of scans', 'filter[scan__in]=', 'filter[scan__in]'],
    ['an empty list of services', 'filter[service__in]=', 'filter[service__in]'],
    ['a list with an empty service', 'filter[service__in]=s3,,iam', 'filter[service__in]'],
  ]);

  it('logs no errors while filtering findings', () => assert.equal(tenant.service.output.stderr, ''));
});

function isAzure({ provider_type }: ListedFinding['attributes']): boolean {
  return provider_type === 'azure';
}
