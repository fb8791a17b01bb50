import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { FINDINGS, type Finding, recordOf } from '../../support/grouped-findings.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { SEVERITY_NAMES } from '../../support/listed-findings.ts';

type Value = string | number | null;

/** Groups without failing findings: two accounts, services and regions with the same counts. */
const PASSED: readonly Finding[] = ['a', 'b', 'c'].flatMap((letter) =>
  [1, 2].map((at) => ({
    uid: `passed-${letter}-${at}`,
    check: `check_${letter}`,
    account: `passed-${letter}`,
    severity: 'low' as const,
    status: letter === 'c' ? ('MANUAL' as const) : ('PASS' as const),
    muted: false,
    service: `service-${letter}`,
    region: `region-${letter}`,
    resources: [`passed-${letter}`],
    time: Date.UTC(2026, 4, 3),
  })),
);
/** Sorts before the IDs of accounts. */
const ALIAS = 'Aardvark';

/** The values by which groups are sorted. */
const KEYS: Readonly<Record<string, (attributes: Attributes) => Value>> = {
  name: ({ name }) => name,
  total: ({ total }) => total,
  failing: ({ failing }) => failing,
  muted: ({ muted }) => muted,
  ...Object.fromEntries(
    SEVERITY_NAMES.map((name) => [name, ({ by_severity }: Attributes) => by_severity[name] ?? null]),
  ),
  ...Object.fromEntries(
    ['PASS', 'FAIL', 'MANUAL'].map((name) => [
      name.toLowerCase(),
      ({ by_status }: Attributes) => by_status[name] ?? null,
    ]),
  ),
  accounts: ({ accounts }) => accounts,
  resources: ({ resources }) => resources,
  oldest_failing_at: ({ oldest_failing_at }) => oldest_failing_at,
};
/** Groups with equal values are sorted by these, in descending order. */
const TIES = ['failing', 'fatal', 'critical', 'high'];

interface Attributes {
  readonly name: string | null;
  readonly total: number;
  readonly failing: number;
  readonly muted: number;
  readonly by_severity: Readonly<Record<string, number>>;
  readonly by_status: Readonly<Record<string, number>>;
  readonly accounts: number;
  readonly resources: number;
  readonly oldest_failing_at: string | null;
}

describe('the order of groups of findings', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    await client.ingest([...FINDINGS, ...PASSED].map(recordOf));
    const { body } = await client.get<Resource[]>('/providers?filter[account]=account-2');
    const { type, id } = body.data[0] ?? assert.fail();
    const changed = await client.document('PATCH', `/providers/${id}`, {
      type,
      id,
      attributes: { alias: ALIAS },
    });
    assert.equal(changed.status, 200);
  });
  after(() => service.leave());

  const groups = async (query: string) => {
    const response = await client.get<readonly (Resource & { readonly attributes: Attributes })[]>(
      `/findings/groups?page[size]=1000&${query}`,
    );
    assert.equal(response.status, 200, response.text);
    return response.body.data;
  };

  /** Null comes last in both directions. */
  const compare = (a: Value, b: Value, isDescending: boolean): number => {
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b === isDescending ? 1 : -1;
  };
  const valuesOf = (attributes: Attributes, keys: readonly string[]) =>
    keys.map((key) => KEYS[key.replace('-', '')]?.(attributes) ?? null);
  const sorted = (all: readonly Attributes[], keys: readonly string[]) =>
    all
      .map((attributes) => valuesOf(attributes, keys))
      .toSorted((a, b) => {
        for (const [at, key] of keys.entries()) {
          const order = compare(a[at] ?? null, b[at] ?? null, key.startsWith('-'));
          if (order !== 0) return order;
        }
        return 0;
      });

  const assertSorted = async (
    query: string,
    sorts: readonly (readonly string[])[],
    tied: readonly string[],
  ) => {
    const all = (await groups(query)).map(({ attributes }) => attributes);
    for (const sort of sorts) {
      const keys = [...sort, ...tied.map((key) => `-${key}`)];
      const page = await groups(`${query}&sort=${sort.join(',')}`);
      const values = page.map(({ attributes }) => valuesOf(attributes, keys));
      assert.deepEqual(values, sorted(all, keys), `${query} ${sort}`);
    }
  };

  it('has groups without a value, groups with equal counts and groups without failing findings', async () => {
    for (const by of ['resource', 'service', 'region'])
      assert.ok((await groups(`by=${by}`)).some(({ attributes: { name } }) => name === null));
    for (const by of ['check', 'resource', 'account', 'service', 'region']) {
      const passed = (await groups(`by=${by}`)).filter(({ attributes: { failing } }) => failing === 0);
      assert.ok(passed.length >= PASSED.length / 2, by);
      for (const { attributes } of passed) assert.equal(attributes.oldest_failing_at, null);
    }
    const [first] = await groups('by=account&sort=name');
    assert.equal(first?.attributes.name, ALIAS);
  });

  for (const by of isWholeRun
    ? ['check', 'resource', 'account', 'service', 'region']
    : ['check', 'resource']) {
    const tied = by === 'resource' ? TIES : [...TIES, 'total'];

    it(`sorts groups by ${by} by each key in both directions, and equal ones by their failing findings`, async () => {
      const sorts = Object.keys(KEYS).flatMap((key) => [[key], [`-${key}`]]);
      await assertSorted(`by=${by}`, sorts, tied);
    });

    it(`sorts groups by ${by} under filters and by several keys`, async () => {
      const sorts = [['-accounts', 'name'], ['oldest_failing_at'], ['-resources', 'total'], ['-name']];
      for (const filter of ['filter[severity__in]=low,high', 'filter[status]=PASS', 'filter[search]=check_'])
        await assertSorted(`by=${by}&${filter}`, sorts, tied);
    });
  }
});
