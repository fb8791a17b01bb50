import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { STORED_FINDINGS } from '../../support/stored-findings.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';

const EPOCH = 1_780_000_000;

/** A record of the resource `resource` at this many seconds. */
interface Observation {
  readonly at: number;
  readonly name: string;
  readonly uid?: string;
}

describe('the attributes of a resource', () => {
  let service: SharedService;
  let client: Client;
  let accounts = 0;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const recordOf = (account: string, { at, name, uid = 'finding' }: Observation) =>
    record({
      time: EPOCH + at,
      finding_info: { uid },
      cloud: { account: { uid: account } },
      resources: [{ uid: 'resource', name, type: `type-${name}`, region: `region-${name}`, group: { name } }],
    });
  /** Ingests uploads of a separate account one after the other. Returns the account. */
  const ingest = async (...uploads: readonly (readonly Observation[])[]): Promise<string> => {
    const account = `account-${++accounts}`;
    for (const observations of uploads) {
      const { attributes } = await client.ingest(observations.map((one) => recordOf(account, one)));
      assert.equal(attributes.status, 'completed');
    }
    return account;
  };
  const resourcesOf = (account: string) =>
    service.sql(
      `select r.uid, r.name, r.type, r.region, r.service, r.labels, r.sort_name, r.search from resources r
       join providers p on p.tenant_id = r.tenant_id and p.id = r.provider_id where p.account = $1 order by r.uid`,
      [account],
    );
  const stored = (name: string) => ({
    uid: 'resource',
    name,
    type: `type-${name}`,
    region: `region-${name}`,
    service: name,
    labels: [],
    sort_name: name,
    search: `resource\n${name}\n`,
  });
  /** Asserts that the account has one resource with the attributes of this name. */
  const assertName = async (account: string, name: string) =>
    assert.deepEqual(await resourcesOf(account), [stored(name)]);

  for (const [description, uploads, name] of [
    [
      'the newest record of an upload',
      [
        [
          { at: 2, name: 'new' },
          { at: 1, name: 'old' },
        ],
      ],
      'new',
    ],
    ['the newest upload', [[{ at: 1, name: 'old' }], [{ at: 2, name: 'new' }]], 'new'],
    [
      'the newest upload if an older upload is processed later',
      [[{ at: 2, name: 'new' }], [{ at: 1, name: 'old' }]],
      'new',
    ],
    [
      'the newest of uploads whose attributes alternate',
      [[{ at: 1, name: 'a' }], [{ at: 2, name: 'b' }], [{ at: 3, name: 'a' }], [{ at: 4, name: 'b' }]],
      'b',
    ],
    [
      'the newest record even if it repeats older attributes and an upload between them is processed later',
      [[{ at: 1, name: 'a' }], [{ at: 3, name: 'a' }], [{ at: 2, name: 'b' }]],
      'a',
    ],
    [
      'the newest record of any finding of the resource',
      [
        [{ at: 1, name: 'a', uid: 'one' }],
        [{ at: 3, name: 'a', uid: 'two' }],
        [{ at: 2, name: 'b', uid: 'one' }],
      ],
      'a',
    ],
    [
      'the later of two records that both differ from the stored attributes',
      [
        [{ at: 1, name: 'a' }],
        [
          { at: 2, name: 'b', uid: 'one' },
          { at: 3, name: 'c', uid: 'two' },
        ],
      ],
      'c',
    ],
  ] as const)
    it(`come from ${description}`, async () => assertName(await ingest(...uploads), name));

  itInWholeRun('do not depend on the order of simultaneous records', async () => {
    const [a, b] = [
      { at: 1, name: 'a', uid: 'one' },
      { at: 1, name: 'b', uid: 'two' },
    ] as const;
    for (const uploads of [[[a, b]], [[b, a]], [[a], [b]], [[b], [a]]])
      await assertName(await ingest(...uploads), 'b');
  });

  it('become null if the newest record lacks them', async () => {
    const account = await ingest([{ at: 1, name: 'a' }]);
    const withoutAttributes = {
      ...recordOf(account, { at: 2, name: 'a' }),
      resources: [{ uid: 'resource' }],
    };
    const { attributes } = await client.ingest([withoutAttributes]);
    assert.equal(attributes.status, 'completed');
    const [resource] = await resourcesOf(account);
    assert.deepEqual(
      { ...resource, region: undefined },
      {
        ...stored('a'),
        name: null,
        type: null,
        region: undefined,
        service: null,
        sort_name: 'resource',
        search: 'resource\n\n',
      },
    );
  });

  it('are stored separately for each account and uid', async () => {
    const accounts = [await ingest([{ at: 1, name: 'a' }]), await ingest([{ at: 2, name: 'b' }])];
    const [first, second] = accounts;
    await assertName(first ?? '', 'a');
    await assertName(second ?? '', 'b');
    const other = {
      ...recordOf(first ?? '', { at: 3, name: 'c' }),
      resources: [{ uid: 'Resource', name: 'c' }],
    };
    await client.ingest([other]);
    assert.deepEqual((await resourcesOf(first ?? '')).map(({ uid, name }) => [uid, name]).sort(), [
      ['Resource', 'c'],
      ['resource', 'a'],
    ]);
  });

  it('do not change the facets of findings with older records', async () => {
    const account = await ingest([
      { at: 1, name: 'old', uid: 'one' },
      { at: 2, name: 'new', uid: 'two' },
    ]);
    const findings = await service.sql(
      `select f.uid, f.resource_uid, f.resource_name, f.resource_type, f.region, f.service from ${STORED_FINDINGS} f
       join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id where p.account = $1 order by 1`,
      [account],
    );
    const common = { resource_uid: 'resource', resource_name: 'new' };
    assert.deepEqual(findings, [
      { uid: 'one', ...common, resource_type: 'type-old', region: 'region-old', service: 'old' },
      { uid: 'two', ...common, resource_type: 'type-new', region: 'region-new', service: 'new' },
    ]);
  });

  it('keep exact totals when the facets of findings change', async () => {
    const observed = (names: readonly string[], at: number) =>
      names.map((name, index) => ({ at, name, uid: `finding-${index}` }));
    await ingest(
      observed(['a', 'a', 'b', 'b'], 1),
      observed(['a', 'b', 'b', 'a'], 2),
      // From here on, only the facets change.
      observed(['b', 'a', 'b', 'c'], 3),
      observed(['c', 'c', 'c', 'c'], 0),
    );
    await assertTrueCounts(service);
  });
});
