import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { FINDINGS, FIRST_UPLOAD, type Finding, isInBoth, recordOf } from '../../support/grouped-findings.ts';
import { deleteButHold, type HeldProvider } from '../../support/held-provider.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

describe('the groups of findings', () => {
  let service: SharedService;
  let client: Client;
  let deleted: HeldProvider;
  let all: readonly Resource[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    const second = await createSecondTenant(service);
    const gone = FINDINGS.map((finding) => ({ ...finding, account: 'gone' }));
    await client.ingest([...FIRST_UPLOAD, ...gone].map(recordOf));
    await client.ingest(FINDINGS.filter((_, at) => isInBoth(at)).map(recordOf));
    await second.client.ingest(FINDINGS.map(recordOf));
    const [provider] = await service.sql<{ id: string }>(
      `select id from providers where account = 'gone' and tenant_id = '${service.tenantId}'`,
    );
    deleted = await deleteButHold(service, provider?.id ?? '');
    all = (await client.get<Resource[]>('/findings?page[size]=1000')).body.data;
    assert.equal(all.length, FINDINGS.length);
  });
  after(async () => {
    await deleted.letGo();
    await service.leave();
  });

  const groups = async (query: string) => {
    const response = await client.get<Resource[]>(`/findings/groups?page[size]=1000&${query}`);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };

  /** The values of a finding: one, several for resources, and null if it has none. */
  const valuesOf = (by: string, { attributes }: Resource, finding: Finding): readonly (string | null)[] => {
    if (by === 'check') return [finding.check];
    if (by === 'account') return [finding.account];
    if (by === 'resource')
      return finding.resources.length === 0
        ? [null]
        : finding.resources.map((resource) => `${finding.account}:${resource}`);
    return [attributes[by] === null ? null : String(attributes[by])];
  };
  const findingOf = ({ attributes }: Resource) =>
    FINDINGS.find(({ uid }) => uid === attributes.uid) ?? assert.fail();

  /** The expected attributes by value, from the list of findings. */
  function expectedGroups(by: string, isIncluded: (finding: Finding, listed: Resource) => boolean) {
    const members = new Map<string | null, (Finding & { readonly since: string })[]>();
    for (const listed of all) {
      const finding = findingOf(listed);
      if (!isIncluded(finding, listed)) continue;
      const member = { ...finding, since: String(listed.attributes.status_changed_at) };
      for (const value of valuesOf(by, listed, finding))
        members.set(value, [...(members.get(value) ?? []), member]);
    }
    return new Map(
      Array.from(members, ([value, findings]) => {
        const failing = findings.filter(({ status, muted }) => status === 'FAIL' && !muted);
        const times = failing.map(({ since }) => since).sort();
        const resources = failing.flatMap(({ account, resources }) =>
          resources.map((uid) => `${account}:${uid}`),
        );
        return [
          value,
          {
            total: findings.length,
            failing: failing.length,
            muted: findings.filter(({ muted }) => muted).length,
            high: failing.filter(({ severity }) => severity === 'high').length,
            manual: findings.filter(({ status }) => status === 'MANUAL').length,
            accounts: new Set(failing.map(({ account }) => account)).size,
            resources:
              by === 'resource' ? Number(value !== null && failing.length > 0) : new Set(resources).size,
            oldest: times[0] ?? null,
          },
        ];
      }),
    );
  }

  const groupValue = (by: string, { attributes }: Resource): string | null => {
    const { check, account, resource, name } = attributes as {
      readonly check?: { readonly check_id: string };
      readonly account?: { readonly account: string };
      readonly resource?: { readonly uid: string } | null;
      readonly name: string | null;
    };
    if (by === 'check') return check?.check_id ?? '';
    if (by === 'account') return account?.account ?? '';
    return by === 'resource' ? (resource?.uid ?? null) : name;
  };
  const actualGroups = (by: string, data: readonly Resource[]) =>
    new Map(
      data.map((group) => {
        const { total, failing, muted, by_severity, by_status, accounts, resources, oldest_failing_at } =
          group.attributes as Readonly<Record<string, unknown>> & {
            readonly by_severity: { readonly high: number };
            readonly by_status: { readonly MANUAL: number };
          };
        const counts = { high: by_severity.high, manual: by_status.MANUAL, accounts, resources };
        return [groupValue(by, group), { total, failing, muted, ...counts, oldest: oldest_failing_at }];
      }),
    );

  const filters: [string, (finding: Finding, listed: Resource) => boolean][] = [
    ['', () => true],
    ['filter[severity]=high', ({ severity }) => severity === 'high'],
    ['filter[account]=account-1', ({ account }) => account === 'account-1'],
    ['filter[check_id]=check_2', ({ check }) => check === 'check_2'],
    ['filter[region]=us-east-1', (_, { attributes }) => attributes.region === 'us-east-1'],
    [
      'filter[check_id__in]=check_1,check_2&filter[region]=eu-west-1',
      ({ check }, { attributes }) =>
        ['check_1', 'check_2'].includes(check) && attributes.region === 'eu-west-1',
    ],
    ['filter[search]=check_3', ({ check }) => check === 'check_3'],
    ['filter[delta]=changed', (_, { attributes }) => attributes.delta === 'changed'],
    [
      'filter[status_changed_at__gte]=2026-05-02',
      (_, { attributes }) => String(attributes.status_changed_at) >= '2026-05-02',
    ],
    [
      'filter[first_seen_at__lte]=2026-05-01',
      (_, { attributes }) => String(attributes.first_seen_at) < '2026-05-02',
    ],
    ['filter[status]=FAIL&filter[muted]=false', ({ status, muted }) => status === 'FAIL' && !muted],
  ];
  for (const by of ['check', 'resource', 'account', 'service', 'region'])
    it(`groups findings by ${by} under any filters`, async () => {
      for (const [filter, isIncluded] of filters) {
        const expected = expectedGroups(by, isIncluded);
        assert.ok(expected.size > 0, filter);
        const unsorted = await groups(`by=${by}&${filter}`);
        assert.deepEqual(sorted(actualGroups(by, unsorted.data)), sorted(expected), filter);
        assert.equal(unsorted.meta.pagination.count, expected.size);
        const byAccounts = await groups(`by=${by}&${filter}&sort=-accounts,-resources`);
        assert.deepEqual(sorted(actualGroups(by, byAccounts.data)), sorted(expected), filter);
      }
    });

  it('groups the findings of a resource, including findings that name it after another one', async () => {
    const name = 'account-1:r-2';
    const listed =
      all.find(({ attributes }) => (attributes.resource as { readonly uid?: string }).uid === name) ??
      assert.fail();
    const { id } = [listed.relationships.resource?.data ?? []].flat()[0] ?? assert.fail();
    const isIncluded = ({ account, resources }: Finding) =>
      resources.some((uid) => `${account}:${uid}` === name);
    for (const by of ['check', 'account', 'region']) {
      const expected = expectedGroups(by, isIncluded);
      const { data } = await groups(`by=${by}&filter[resource]=${id}`);
      assert.deepEqual(sorted(actualGroups(by, data)), sorted(expected), by);
    }
  });

  /** Two resources of one account. Some findings name both of them. */
  async function namedTogether(): Promise<readonly [Resource, Resource]> {
    const { body } = await client.get<Resource[]>('/resources?filter[account]=account-1');
    const [first, second] = body.data.filter(({ attributes }) => /:r-[12]$/.test(String(attributes.uid)));
    return [first ?? assert.fail(), second ?? assert.fail()];
  }

  it('links to the findings of each group', async () => {
    const [first, second] = await namedTogether();
    const filters = [
      'filter[severity]=high&filter[muted]=false',
      'filter[provider_type]=AWS',
      'filter[service]=s3',
      'filter[region]=&filter[check_id]=check_1',
      `filter[provider]=${first.relationships.provider?.data.id}`,
      `filter[resource]=${first.id.toUpperCase()}`,
      `filter[resource__in]=${first.id},${second.id}`,
    ];
    for (const filter of filters)
      for (const by of ['check', 'resource', 'account', 'service', 'region']) {
        const { data } = await groups(`by=${by}&${filter}`);
        assert.ok(data.length > 0, `${by} ${filter}`);
        for (const group of data.slice(0, 10)) {
          const { related } = group.relationships.findings?.links ?? assert.fail();
          const url = new URL(related);
          const path = url.pathname.replace('/api/v1', '');
          const { status, body } = await client.get<Resource[]>(`${path}${url.search}`);
          assert.equal(status, 200, `${by} ${related}: ${JSON.stringify(body)}`);
          assert.equal(body.meta.pagination.count, group.attributes.total, `${by} ${related}`);
        }
      }
  });

  it('has no link if no filters select the findings of a group', async () => {
    const [first, second] = await namedTogether();
    const { data } = await groups(
      `by=resource&filter[resource]=${first.id}&filter[resource__in]=${first.id}`,
    );
    const linkOf = ({ id }: Resource) =>
      data.find((group) => group.id === id)?.relationships.findings?.links.related;
    assert.match(linkOf(first) ?? '', /^http/);
    assert.equal(linkOf(second), null);
  });

  it('returns pages of groups that contain each group once', async () => {
    const ids: string[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const query = `by=resource&page[size]=8&page[number]=${page}`;
      const { body } = await client.get<Resource[]>(`/findings/groups?${query}`);
      assert.equal(body.meta.pagination.count, expectedGroups('resource', () => true).size);
      ids.push(...body.data.map(({ id }) => id));
    }
    assert.deepEqual(
      ids,
      (await groups('by=resource')).data.map(({ id }) => id),
    );
    assert.deepEqual((await groups('by=resource&page[number]=50')).data, []);
  });

  it('returns groups without a value with an ID that is unique among all groups', async () => {
    const ids: string[] = [];
    for (const by of ['resource', 'service', 'region']) {
      const { data } = await groups(`by=${by}`);
      ids.push(...data.filter(({ attributes }) => attributes.name === null).map(({ id }) => id));
    }
    assert.deepEqual(ids, ['resource:', 'service:', 'region:']);
  });

  it('returns only the selected attributes of groups', async () => {
    const { data } = await groups('by=check&fields[finding-groups]=name,failing');
    for (const { attributes } of data) assert.deepEqual(Object.keys(attributes).sort(), ['failing', 'name']);
  });

  itRefusesQueries('/findings/groups', () => client, [
    ['a missing parameter by', '', 'by'],
    ['an unknown value of by', 'by=color', 'by'],
    ['an unknown sort key', 'by=check&sort=color', 'sort'],
    ['a cursor', 'by=check&page[after]=', 'page[after]'],
  ]);
});

function sorted<Value>(
  groups: ReadonlyMap<string | null, Value>,
): readonly (readonly [string | null, Value])[] {
  return [...groups].sort(([a], [b]) => String(a).localeCompare(String(b)));
}
