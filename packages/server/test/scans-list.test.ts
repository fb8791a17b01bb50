import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, type ApiDocument, type Client, createClient, type Included } from './support/client.ts';
import { record } from './support/records.ts';
import { createSecondTenant, type SecondTenant } from './support/second-tenant.ts';
import { type Service, startService } from './support/service.ts';
import { walkPages } from './support/walk-pages.ts';

interface Scan {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Record<
    'provider' | 'ingestion',
    { readonly data: { readonly type: string; readonly id: string }; readonly links: { related: string } }
  >;
  readonly links: { readonly self: string };
}

/** A scan that a test knows of. */
interface Known {
  id: string;
  readonly file: string;
  readonly ingestion: string;
  readonly type: string;
  readonly account: string;
  readonly uid: string | null;
  readonly records: number;
  readonly failed: number;
  readonly inserted_at: string;
}

type Brought = readonly [provider: string, uid: string | null, failed: number, passed: number, muted: number];

/** Files of several scans: some with the same counts, two of the same scan id, one account in two providers. */
const FILES: readonly (readonly [name: string, inserted_at: string, ...scans: Brought[]])[] = [
  [
    '100% done.json',
    '2026-02-28T23:59:59.999999Z',
    ['aws/111', 'night-1', 2, 1, 1],
    ['gcp/111', 'night-1', 0, 4, 0],
  ],
  [
    'Snake_Case.json',
    '2026-03-01T00:00:00.000000Z',
    ['aws/111', 'night-2', 2, 2, 0],
    ['aws/222', null, 1, 0, 3],
  ],
  [
    'snake-case.json',
    '2026-03-01T23:59:59.999999Z',
    ['aws/111', null, 3, 1, 0],
    ['azure/gone', 'night-3', 1, 1, 0],
  ],
  [
    'plain.json',
    '2026-03-02T00:00:00.000000Z',
    ['gcp/111', 'Night_9', 0, 1, 2],
    ['aws/222', 'night-3', 0, 0, 4],
  ],
  // Accepted at the same microsecond: their ids decide.
  ['plain.json', '2026-03-02T00:00:00.000000Z', ['aws/111', 'night-3', 2, 2, 0]],
];
/** Of this account the provider is deleted. */
const GONE = 'gone';

function fileOf(scans: readonly Brought[]): unknown[] {
  return scans.flatMap(([provider, uid, failed, passed, muted]) => {
    const [type, account] = provider.split('/');
    return Array.from({ length: failed + passed + muted }, (_, at) =>
      record({
        status_code: at < failed || at >= failed + passed ? 'FAIL' : 'PASS',
        status_id: at >= failed + passed ? 3 : 1,
        finding_info: { uid: `finding-${at}` },
        cloud: { provider: type, account: { uid: account } },
        unmapped: { scan_id: uid },
      }),
    );
  });
}

describe('the list of scans', () => {
  let service: Service;
  let client: Client;
  let second: SecondTenant;
  const all: Known[] = [];
  let known: Known[] = [];
  const providerIds = new Map<string, string>();
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    await second.client.ingest(fileOf([['aws/111', 'night-1', 5, 0, 0]]), { fileName: 'plain.json' });
    for (const [file, inserted_at, ...brought] of FILES) {
      const { id: ingestion } = await client.ingest(fileOf(brought), { fileName: file });
      await service.sql('update scans set inserted_at = $2 where ingestion_id = $1', [
        ingestion,
        inserted_at,
      ]);
      for (const [provider, uid, failed, passed, muted] of brought) {
        const [type = '', account = ''] = provider.split('/');
        const records = failed + passed + muted;
        all.push({ id: '', file, ingestion, type, account, uid, records, failed, inserted_at });
      }
    }
    const rows = await service.sql(
      `select s.id, s.ingestion_id, s.uid, p.id as provider_id, p.type, p.account
       from scans s join providers p on p.id = s.provider_id where s.tenant_id = $1`,
      [service.tenantId],
    );
    for (const { id, ingestion_id, uid, provider_id, type, account } of rows) {
      providerIds.set(`${type}/${account}`, String(provider_id));
      const one = all.find(
        (scan) =>
          scan.ingestion === ingestion_id &&
          scan.uid === uid &&
          scan.type === type &&
          scan.account === account,
      );
      assert.ok(one !== undefined);
      one.id = String(id);
    }
    assert.equal(rows.length, all.length);
    await service.sql('update providers set deleted_at = now() where account = $1', [GONE]);
    known = all.filter(({ account }) => account !== GONE);
  });
  after(() => service.remove());

  const list = async (query = ''): Promise<Answer<Scan[]>> => {
    const answer = await client.get<Scan[]>(`/scans?${query}`);
    assert.equal(answer.status, 200, `${query}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const idsOf = ({ body }: Answer<Scan[]>) => body.data.map(({ id }) => id);
  /** The ids of all that the list shows under this query, in any order. */
  const found = async (query: string) => idsOf(await list(`page[size]=1000&${query}`)).sort();
  const where = (condition: (scan: Known) => boolean) =>
    known
      .filter(condition)
      .map(({ id }) => id)
      .sort();
  const ordered = (keys: readonly string[]) =>
    known.toSorted((a, b) => compare(a, b, [...keys, tieOf(keys)])).map(({ id }) => id);
  const one = (condition: (scan: Known) => boolean) => known.find(condition) ?? assert.fail();

  describe('in pages', () => {
    it('shows the newest first, each scan once, also where several came at once', async () => {
      assert.equal((await list()).body.meta.pagination.count, known.length);
      assert.deepEqual(idsOf(await list()), ordered(['-inserted_at']));
      const pages = await walkPages(service, await list('page[size]=2'), 'next');
      assert.deepEqual(pages.flatMap(idsOf), ordered(['-inserted_at']));
    });

    it('shows a scan as it is got by its id', async () => {
      for (const scan of (await list()).body.data) {
        const { status, body } = await client.get<Scan>(`/scans/${scan.id}`);
        assert.deepEqual([status, body.data], [200, scan]);
        assert.equal(scan.links.self, `${service.url}/api/v1/scans/${scan.id}`);
      }
    });
  });

  it('tells where each scan came from, and what it brought', async () => {
    for (const { id, attributes, relationships } of (await list()).body.data) {
      const scan = one((candidate) => candidate.id === id);
      const { uid, inserted_at, records, failed } = scan;
      assert.deepEqual(
        [attributes.uid, attributes.inserted_at, attributes.records, attributes.failed],
        [uid, inserted_at, records, failed],
      );
      const provider = providerIds.get(`${scan.type}/${scan.account}`);
      assert.deepEqual(relationships.provider.data, { type: 'providers', id: provider });
      assert.deepEqual(relationships.ingestion.data, { type: 'ingestions', id: scan.ingestion });
      assert.equal(
        relationships.ingestion.links.related,
        `${service.url}/api/v1/ingestions/${scan.ingestion}`,
      );
    }
  });

  describe('sorted', () => {
    for (const key of ['inserted_at', 'records', 'failed']) {
      it(`is in the order of ${key} up and down`, async () => {
        assert.deepEqual(idsOf(await list(`sort=${key}`)), ordered([key]));
        assert.deepEqual(idsOf(await list(`sort=-${key}`)), ordered([`-${key}`]));
      });
    }

    it('takes several keys, where the later ones decide between equals', async () => {
      for (const keys of [
        ['records', '-failed'],
        ['-failed', 'inserted_at'],
      ]) {
        assert.deepEqual(idsOf(await list(`sort=${keys.join(',')}`)), ordered(keys));
        assert.notDeepEqual(ordered(keys), ordered(keys.slice(0, 1)));
      }
    });
  });

  describe('filtered', () => {
    it('shows the scans of one upload, or of several', async () => {
      const [a = '', b = ''] = new Set(known.map(({ ingestion }) => ingestion));
      assert.deepEqual(
        await found(`filter[ingestion]=${a}`),
        where(({ ingestion }) => ingestion === a),
      );
      assert.deepEqual(
        await found(`filter[ingestion__in]=${a},${b}`),
        where(({ ingestion }) => ingestion === a || ingestion === b),
      );
    });

    it('shows the scans of one provider, or of several, told by id, type or account', async () => {
      const idOf = (provider: string) => providerIds.get(provider) ?? assert.fail();
      assert.deepEqual(
        await found(`filter[provider]=${idOf('aws/111')}`),
        where(({ type, account }) => type === 'aws' && account === '111'),
      );
      assert.deepEqual(
        await found(`filter[provider__in]=${idOf('gcp/111')},${idOf('aws/222')}`),
        where(({ type, account }) => type === 'gcp' || account === '222'),
      );
      assert.deepEqual(
        await found('filter[provider_type]=aws'),
        where(({ type }) => type === 'aws'),
      );
      assert.deepEqual(
        await found('filter[provider_type__in]=gcp,azure'),
        where(({ type }) => type === 'gcp'),
      );
      assert.deepEqual(
        await found('filter[account]=111'),
        where(({ account }) => account === '111'),
      );
      assert.deepEqual(
        await found('filter[account__in]=222,333'),
        where(({ account }) => account === '222'),
      );
      assert.deepEqual(await found('filter[account]=11'), []);
    });

    it('shows the scans of one scan id, or of several, in whatever upload', async () => {
      const expected = where(({ uid }) => uid === 'night-3');
      assert.equal(expected.length, 2);
      assert.deepEqual(await found('filter[uid]=night-3'), expected);
      assert.deepEqual(
        await found('filter[uid__in]=night-2,Night_9'),
        where(({ uid }) => uid === 'night-2' || uid === 'Night_9'),
      );
      assert.deepEqual(await found('filter[uid]=night'), []);
    });

    it('takes the time by UTC day, from its first microsecond to its last', async () => {
      const day = ({ inserted_at }: Known) => inserted_at.slice(0, 10);
      const on = where((scan) => day(scan) === '2026-03-01');
      assert.equal(on.length, 3);
      assert.deepEqual(await found('filter[inserted_at]=2026-03-01'), on);
      assert.deepEqual(
        await found('filter[inserted_at__gte]=2026-03-01'),
        where((scan) => day(scan) >= '2026-03-01'),
      );
      assert.deepEqual(
        await found('filter[inserted_at__lte]=2026-03-01'),
        where((scan) => day(scan) <= '2026-03-01'),
      );
    });

    it('searches in scan ids, accounts and file names, without regard to case and literally', async () => {
      for (const [term, condition] of [
        ['NIGHT_', ({ uid }) => uid === 'Night_9'],
        ['night-', ({ uid }) => uid?.startsWith('night-') === true],
        ['11', ({ account }) => account === '111'],
        ['100%', ({ file }) => file === '100% done.json'],
        ['snake_', ({ file }) => file === 'Snake_Case.json'],
        ['SNAKE', ({ file }) => file.toLowerCase().startsWith('snake')],
        ['no such scan', () => false],
      ] satisfies [string, (scan: Known) => boolean][]) {
        assert.deepEqual(await found(`filter[search]=${encodeURIComponent(term)}`), where(condition), term);
      }
    });

    it('shows what all filters together let through, and counts only that', async () => {
      const expected = where(
        ({ type, account, file }) => type === 'aws' && account === '111' && file === 'plain.json',
      );
      const query = 'filter[provider_type]=aws&filter[account]=111&filter[search]=plain';
      assert.deepEqual(await found(query), expected);
      assert.equal((await list(query)).body.meta.pagination.count, expected.length);
    });
  });

  describe('with related resources', () => {
    it('brings along providers and uploads, each once, and only where they are asked for', async () => {
      assert.equal('included' in (await list()).body, false);
      for (const [include, types] of [
        ['provider', ['providers']],
        ['ingestion', ['ingestions']],
        ['ingestion,provider', ['ingestions', 'providers']],
      ] as const) {
        const { body } = await list(`include=${include}`);
        const expected = body.data
          .flatMap(({ relationships: { provider, ingestion } }) => [provider.data, ingestion.data])
          .filter(({ type }) => types.some((wanted) => wanted === type))
          .map(({ type, id }) => `${type} ${id}`);
        assert.deepEqual(
          includedIn(body)
            .map(({ type, id }) => `${type} ${id}`)
            .sort(),
          [...new Set(expected)].sort(),
        );
      }
      assert.deepEqual(includedIn((await list('include=provider,ingestion&filter[uid]=none')).body), []);
    });

    it('brings them along with one scan, as they are by themselves', async () => {
      const { id, ingestion } = one(({ uid }) => uid === 'night-2');
      const { body } = await client.get<Scan>(`/scans/${id}?include=ingestion,provider`);
      const included = includedIn(body);
      const job = (await client.get<Included>(`/ingestions/${ingestion}`)).body.data;
      assert.deepEqual(
        included.find(({ type }) => type === 'ingestions'),
        job,
      );
      assert.deepEqual(included.map(({ type }) => type).sort(), ['ingestions', 'providers']);
      assert.equal(included.find(({ type }) => type === 'providers')?.id, providerIds.get('aws/111'));
    });

    it('shows only the fields that are asked for, by type', async () => {
      const query = 'fields[scans]=records,new&fields[ingestions]=status&include=ingestion&sort=-failed';
      const { body } = await list(query);
      for (const { attributes } of body.data) assert.deepEqual(Object.keys(attributes), ['records', 'new']);
      for (const { attributes } of includedIn(body)) assert.deepEqual(attributes, { status: 'completed' });
      const { body: whole } = await list();
      for (const name of Object.keys(whole.data[0]?.attributes ?? {})) {
        const { data } = (await list(`fields[scans]=${name}`)).body;
        assert.deepEqual(
          data.map(({ attributes }) => attributes),
          whole.data.map(({ attributes }) => ({ [name]: attributes[name] })),
        );
      }
    });
  });

  it('shows nothing of a deleted provider, and its new scans when it comes back', async () => {
    const gone = all.find(({ account }) => account === GONE) ?? assert.fail();
    assert.equal((await client.get(`/scans/${gone.id}`)).status, 404);
    for (const query of [
      '',
      `filter[account]=${GONE}`,
      `filter[provider]=${providerIds.get(`azure/${GONE}`)}`,
    ])
      assert.ok(!(await found(query)).includes(gone.id), query);
    const { id } = await client.ingest(fileOf([[`azure/${GONE}`, 'night-3', 1, 1, 0]]));
    const { body } = await list(`filter[ingestion]=${id}`);
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.new),
      [2],
    );
    await service.sql('update providers set deleted_at = now() where account = $1 and deleted_at is null', [
      GONE,
    ]);
    assert.deepEqual(
      await found(''),
      where(() => true),
    );
  });

  it("shows no other tenant's scans, which are as unknown as scans that there are not", async () => {
    const { body } = await second.client.get<Scan[]>('/scans?include=ingestion,provider');
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.failed),
      [5],
    );
    const theirs = body.data[0] ?? assert.fail();
    assert.deepEqual(await found(`filter[ingestion]=${theirs.relationships.ingestion.data.id}`), []);
    assert.deepEqual(await found(`filter[provider]=${theirs.relationships.provider.data.id}`), []);
    const details: unknown[] = [];
    for (const id of [theirs.id, '0198a000-0000-7000-8000-000000000001', 'no-uuid']) {
      const { status, body } = await client.get(`/scans/${id}`);
      assert.equal(status, 404);
      details.push(body.errors.map(({ id: _, ...error }) => error));
    }
    assert.deepEqual(details, [details[0], details[0], details[0]]);
  });

  it('has logged no failure after all this', () => {
    assert.equal(service.output.stderr, '');
  });
});

function includedIn({ included }: ApiDocument<unknown>): readonly Included[] {
  assert.ok(included !== undefined);
  return included;
}

/** Ids go in the direction of the last key. */
function tieOf(keys: readonly string[]): string {
  return keys.at(-1)?.startsWith('-') ? '-id' : 'id';
}

function compare(a: Known, b: Known, keys: readonly string[]): number {
  for (const key of keys) {
    const name = key.replace('-', '');
    const [left, right] = [keyOf(a, name), keyOf(b, name)];
    if (left !== right) return left < right === key.startsWith('-') ? 1 : -1;
  }
  return 0;
}

function keyOf({ id, inserted_at, records, failed }: Known, name: string): string | number {
  const values = new Map<string, string | number>(Object.entries({ id, inserted_at, records, failed }));
  return values.get(name) ?? assert.fail();
}
