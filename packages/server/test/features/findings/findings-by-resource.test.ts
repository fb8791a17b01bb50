import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { idsInOrder } from '../../support/sort-order.ts';
import { walkPages } from '../../support/walk-pages.ts';

const START = 1_780_000_000;
/** More resources than one section of a page has. */
const RESOURCES = 2300;
const COUNT = 2800;
const PREFIXES = ['web', 'Web', 'ärger', 'zone', '10'];

interface Uploaded {
  readonly uid: string;
  readonly account: string;
  /** `undefined` if the finding has no resource. */
  readonly resource: { readonly uid: string; readonly name?: string } | undefined;
  readonly time: number;
}

/** Resources of two accounts; three or more have the same name, and some have only a uid. */
function uploadedFinding(at: number): Uploaded {
  const ordinal = at % RESOURCES;
  const uid = `${PREFIXES[ordinal % 5]} ${ordinal}`;
  const name = `${PREFIXES[ordinal % 5]} ${ordinal % 350}`;
  const resource = ordinal % 40 === 7 ? { uid } : { uid, name };
  return {
    uid: `finding-${at}`,
    account: `account-${ordinal % 2}`,
    resource: at % 13 === 0 ? undefined : resource,
    time: START + ((at * 7) % 5),
  };
}

const FIRST_UPLOAD = Array.from({ length: COUNT }, (_, at) => uploadedFinding(at));
/** The second upload renames resources. */
const SECOND_UPLOAD = FIRST_UPLOAD.flatMap((finding, at) =>
  finding.resource !== undefined && at % RESOURCES === at && at % 97 === 5
    ? [{ ...finding, time: START + 10, resource: { uid: finding.resource.uid, name: 'renamed' } }]
    : [],
);

const isRare = (uid: string) => Number(uid.replace('finding-', '')) % 180 === 3;

function recordOf({ uid, account, resource, time }: Uploaded) {
  return record({
    time,
    metadata: { event_code: isRare(uid) ? 'rare' : 'common' },
    finding_info: { uid },
    cloud: { account: { uid: account } },
    resources: resource === undefined ? [] : [resource],
  });
}

describe('findings sorted by resource', () => {
  let service: SharedService;
  let client: Client;
  let expected: readonly (Uploaded & { readonly id: string })[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    await client.ingest(FIRST_UPLOAD.map(recordOf));
    await client.ingest(SECOND_UPLOAD.map(recordOf));
    const ids = new Map((await readAll('sort=id')).map(({ id, attributes: { uid } }) => [uid, id]));
    const latest = new Map([...FIRST_UPLOAD, ...SECOND_UPLOAD].map((finding) => [finding.uid, finding]));
    const renamed = new Map(SECOND_UPLOAD.map((finding) => [resourceOf(finding), finding.resource]));
    expected = Array.from(latest.values(), (finding) => ({
      ...finding,
      resource: renamed.get(resourceOf(finding)) ?? finding.resource,
      id: ids.get(finding.uid) ?? assert.fail(finding.uid),
    }));
    assert.ok(SECOND_UPLOAD.length > 10);
  });
  after(() => service.leave());

  const readAll = async (query: string) => {
    const first = await client.get<Resource[]>(`/findings?${query}&page[size]=1000&fields[findings]=uid`);
    const pages = await walkPages(service, first, 'next');
    return pages.flatMap(({ body }) => body.data);
  };
  const readIds = async (query: string) => (await readAll(query)).map(({ id }) => id);

  const resourceOf = ({ account, resource }: Uploaded) => resource && `${account}:${resource.uid}`;
  /** The hexadecimal form sorts texts by their bytes. */
  const nameOf = ({ resource }: Uploaded) =>
    resource === undefined ? null : Buffer.from(resource.name ?? resource.uid).toString('hex');

  /**
   * The order of resources with equal names is not specified, but their findings are not mixed: `order` contains each
   * resource in the order in which an ascending list contains it first.
   */
  const sorted = (order: ReadonlyMap<unknown, number>, ...keys: string[]) =>
    idsInOrder(
      expected,
      keys.flatMap((key) => (key.endsWith('resource') ? [key, key.replace('resource', 'place')] : [key])),
      (finding) => ({
        resource: nameOf(finding),
        place: order.get(resourceOf(finding)) ?? null,
        first_seen_at: START + ((Number(finding.uid.replace('finding-', '')) * 7) % 5),
      }),
    );
  const orderOfResources = (ids: readonly string[]): ReadonlyMap<unknown, number> => {
    const byId = new Map(expected.map((finding) => [finding.id, finding]));
    const order = new Map<unknown, number>();
    for (const id of ids) {
      const resource = resourceOf(byId.get(id) ?? assert.fail(id));
      if (resource !== undefined && !order.has(resource)) order.set(resource, order.size);
    }
    return order;
  };

  it('lists findings by the name or uid of their resource, and those without a resource last, in both directions', async () => {
    const ascending = await readIds('sort=resource');
    const order = orderOfResources(ascending);
    assert.ok(order.size > 2000);
    assert.deepEqual(ascending, sorted(order, 'resource'));
    assert.deepEqual(await readIds('sort=-resource'), sorted(order, '-resource'));
  });

  itInWholeRun('combines the order by resource with other sort keys', async () => {
    const order = orderOfResources(await readIds('sort=resource'));
    for (const keys of [
      ['resource', '-first_seen_at'],
      ['-resource', 'first_seen_at'],
      ['first_seen_at', '-resource'],
    ])
      assert.deepEqual(await readIds(`sort=${keys.join(',')}`), sorted(order, ...keys), keys.join(','));
  });

  it('finds few findings among those of many resources in the order of the resources', async () => {
    const order = orderOfResources(await readIds('sort=resource'));
    const rare = new Set(expected.filter(({ uid }) => isRare(uid)).map(({ id }) => id));
    assert.ok(rare.size > 10);
    for (const key of ['resource', '-resource']) {
      const ids = sorted(order, key).filter((id) => rare.has(id));
      for (const start of ['page[number]=1', 'page[after]='])
        assert.deepEqual(await readIds(`filter[check_id]=rare&sort=${key}&${start}`), ids, `${key} ${start}`);
    }
  });

  itInWholeRun('lists findings by resource in the same order with cursors', async () => {
    const order = orderOfResources(await readIds('sort=resource'));
    for (const key of ['resource', '-resource'])
      assert.deepEqual(await readIds(`sort=${key}&page[after]=`), sorted(order, key), key);
  });
});
