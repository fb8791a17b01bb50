import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { createTenantKey } from '../../support/deployment.ts';
import { deleteButHold, type HeldProvider } from '../../support/held-provider.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { walkPages } from '../../support/walk-pages.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

interface Check {
  readonly type: string;
  readonly id: string;
  readonly attributes: Record<string, unknown> & {
    readonly severity: string | null;
    readonly findings: { readonly total: number; readonly failing: number };
  };
  readonly links: Record<string, string>;
}

const ODD = 'odd/check?a=b #1.v2';
let uids = 0;
function finding(provider: string, account: string, check: string, members: Record<string, unknown> = {}) {
  uids += 1;
  const own = { cloud: { provider, account: { uid: account } }, metadata: { event_code: check } };
  return record({ ...own, finding_info: { uid: `finding-${uids}`, title: `Title of ${check}` }, ...members });
}
const titled = (title: string | undefined, uid: string) => ({ finding_info: { uid, title } });

describe('checks', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let deletedProvider: HeldProvider;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    await client.ingest([
      // Two providers with the same check, and a third provider with another type.
      finding('aws', '111', 'shared', { severity_id: 2 }),
      finding('aws', '111', 'shared', { severity_id: 3, status_code: 'PASS' }),
      finding('aws', '222', 'shared', { severity_id: 1, status_id: 3 }),
      finding('aws', '222', 'shared', { severity_id: 99 }),
      finding('azure', '111', 'shared', { severity_id: 5, unmapped: { categories: ['encryption'] } }),
      // Deleting this provider removes the only finding of `orphan` and the most severe finding of `shared`.
      finding('aws', 'gone', 'shared', { severity_id: 6 }),
      finding('aws', 'gone', 'orphan'),
      finding('aws', '111', 'b_100%', { ...titled('Zulu', 'z'), severity_id: 99, risk_details: null }),
      finding('aws', '111', ODD, { ...titled(undefined, 'o'), severity_id: 0, status_code: 'MANUAL' }),
    ]);
    await second.client.ingest([
      finding('aws', '111', 'shared', { severity_id: 6 }),
      finding('aws', '111', 'theirs'),
    ]);
    // A deleted provider's rows remain for a while, but must not be counted.
    const [provider] = await service.sql<{ id: string }>("select id from providers where account = 'gone'");
    deletedProvider = await deleteButHold(service, provider?.id ?? '');
  });
  after(async () => {
    await deletedProvider.letGo();
    await service.leave();
  });

  const list = async (query = '', as = client) => {
    const response = await as.get<Check[]>(`/checks?${query}`);
    assert.equal(response.status, 200, query);
    return response;
  };
  const found = async (query = '', as = client) => (await list(query, as)).body.data.map(({ id }) => id);
  const [B, ORPHAN, SHARED, AZURE] = ['aws.b_100%', 'aws.orphan', 'aws.shared', 'azure.shared'];
  const ALL = [B, `aws.${ODD}`, ORPHAN, SHARED, AZURE];

  it("lists the checks in the tenant's findings, sorted by ID", async () => {
    assert.deepEqual(await found(), ALL);
    assert.deepEqual(await found('', second.client), ['aws.shared', 'aws.theirs']);
  });

  it('returns a check with its metadata, finding counts and highest severity, and ignores deleted providers', async () => {
    const { data } = (await client.get<Check>('/checks/aws.shared')).body;
    assert.deepEqual(data, {
      type: 'checks',
      id: 'aws.shared',
      attributes: {
        provider_type: 'aws',
        check_id: 'shared',
        title: 'Title of shared',
        description: null,
        risk: 'Anybody can read it.',
        remediation: 'Block public access.',
        references: ['https://example.com/buckets'],
        categories: ['internet-exposed'],
        compliance: [],
        severity: 'medium',
        findings: { total: 4, failing: 2 },
      },
      relationships: {
        findings: {
          links: {
            related: `${service.url}/api/v1/findings?filter%5Bprovider_type%5D=aws&filter%5Bcheck_id%5D=shared`,
          },
        },
      },
      links: { self: `${service.url}/api/v1/checks/aws.shared` },
    });
    assert.deepEqual((await list('filter[search]=aws.shared')).body.data, [data]);
    const [stored] = await service.ownerSql('select count(*)::int from findings where tenant_id = any($1)', [
      [service.tenantId, second.id],
    ]);
    assert.equal(stored?.count, 11, 'rows were removed too early for this test');
  });

  it('counts findings per check in the check list', async () => {
    const counts = (await list()).body.data.map(({ attributes: { severity, findings } }) => [
      severity,
      findings.total,
      findings.failing,
    ]);
    assert.deepEqual(counts, [
      ['other', 1, 1],
      ['unknown', 1, 0],
      [null, 0, 0],
      ['medium', 4, 2],
      ['critical', 1, 1],
    ]);
  });

  it('returns the same counts for checks in every sort order', async () => {
    const byId = (data: readonly Check[]) => new Map(data.map(({ id, attributes }) => [id, attributes]));
    const expected = byId((await list()).body.data);
    assert.deepEqual(byId((await list('sort=-failing')).body.data), expected);
    assert.deepEqual(await found('sort=-failing&filter[search]=azure.s'), [AZURE]);
  });

  it('returns the same counts for 45 checks in a list as for each single check', async () => {
    const key = await createTenantKey(service);
    const other = createClient(service.url, key);
    const checks = Array.from({ length: 45 }, (_, index) => `check_${index}`);
    await other.ingest(
      checks.flatMap((check, index) => [
        finding('aws', '111', check, { severity_id: 1 + (index % 5) }),
        finding('aws', '222', check, { severity_id: 2, status_code: index % 2 === 0 ? 'PASS' : 'FAIL' }),
      ]),
    );
    const listed = await other.get<Check[]>('/checks?page[size]=100');
    assert.equal(listed.body.data.length, 45);
    for (const check of listed.body.data)
      assert.deepEqual((await other.get<Check>(`/checks/${check.id}`)).body.data, check);
  });

  it('returns working links to checks whose IDs contain reserved characters', async () => {
    for (const check of (await list()).body.data) {
      const path = check.links.self?.slice(`${service.url}/api/v1`.length) ?? '';
      assert.deepEqual((await client.get<Check>(path)).body.data, check);
    }
  });

  for (const [sort, expected] of [
    ['-check_id', [AZURE, SHARED, ORPHAN, `aws.${ODD}`, B]],
    ['title', [ORPHAN, SHARED, AZURE, B, `aws.${ODD}`]],
    ['-title', [B, AZURE, SHARED, ORPHAN, `aws.${ODD}`]],
    ['-title,check_id', [B, SHARED, AZURE, ORPHAN, `aws.${ODD}`]],
    ['-failing,check_id', [SHARED, B, AZURE, `aws.${ODD}`, ORPHAN]],
    ['failing,-check_id', [ORPHAN, `aws.${ODD}`, AZURE, B, SHARED]],
  ] as const) {
    it(`sorts checks by ${sort}`, async () => assert.deepEqual(await found(`sort=${sort}`), expected));
  }

  for (const [filter, expected] of [
    ['filter[provider_type]=azure', [AZURE]],
    ['filter[provider_type__in]=azure,gcp', [AZURE]],
    ['filter[provider_type__in]=azure,aws', ALL],
    ['filter[category]=encryption', [AZURE]],
    ['filter[category]=encrypt', []],
    ['filter[search]=zULU', [B]],
    ['filter[search]=SHARED', [SHARED, AZURE]],
    ['filter[search]=azure.s', [AZURE]],
    ['filter[search]=%25', [B]],
    ['filter[search]=v2', [`aws.${ODD}`]],
    ['filter[search]=theirs', []],
    ['filter[search]=of%20&filter[provider_type]=aws', [ORPHAN, SHARED]],
  ] as const) {
    it(`filters checks by ${filter}`, async () => assert.deepEqual(await found(filter), expected));
  }

  it('returns every check once across pages of checks with equal titles', async () => {
    const pages = await walkPages(service, await list('sort=title&page[size]=1'), 'next');
    assert.deepEqual(
      pages.flatMap(({ body }) => body.data.map(({ id }) => id)),
      [ORPHAN, SHARED, AZURE, B, `aws.${ODD}`],
    );
  });

  it('returns only the requested fields of checks', async () => {
    for (const fields of ['title', 'severity', 'check_id,findings', '']) {
      for (const { attributes } of (await list(`fields[checks]=${fields}`)).body.data)
        assert.deepEqual(Object.keys(attributes).join(), fields);
    }
  });

  itRefusesQueries('/checks', () => client, [
    ['an unknown filter', 'filter[severity]=high', 'filter[severity]'],
    ['an unknown sort key', 'sort=severity', 'sort'],
    ['an unknown field', 'fields[checks]=seen_at', 'fields[checks]'],
    ['fields of another resource type', 'fields[findings]=status', 'fields[findings]'],
    ['an include parameter', 'include=findings', 'include'],
  ]);

  it('returns the same 404 for check IDs that are invalid, unknown or from another tenant', async () => {
    for (const id of ['shared', 'aws.', 'gcp.shared', 'aws.theirs', 'aws.shared%00', 'AWS.shared']) {
      const response = await client.get(`/checks/${id}`);
      assertRefused(response, { status: 404, code: 'not_found', detail: /^No check has this ID\.$/ });
    }
  });
});
