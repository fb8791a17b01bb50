import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type ApiTextResponse, type Client, createClient } from '../support/client.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { record } from '../support/records.ts';
import { type Service, startService } from '../support/service.ts';

const MIB = 2 ** 20;
/** Just below the maximum size of a record. */
const LONG = 3.9 * MIB;
const LIST_TEXT_MAX = 4096;

interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly meta?: { readonly truncated?: readonly string[] };
}

// This suite uses a separate service, because it measures the memory of the service.
describe('multi-megabyte strings', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  const upload = async (texts: readonly string[]) => {
    const { attributes, id } = await client.ingest(new Uint8Array(gzipSync(`[${texts.join()}]`)));
    return { id, ...attributes };
  };
  const list = async (path: string): Promise<ApiTextResponse<Resource[]>> => {
    const response = await client.get<Resource[]>(path);
    assert.equal(response.status, 200, `${path}: ${response.text.slice(0, 300)}`);
    assert.ok(Buffer.byteLength(response.text) <= 16 * MIB, `${path}: ${response.text.length} characters`);
    return response;
  };
  /** Asserts that each of these attributes is marked as truncated and repeats `text` up to the maximum length. */
  const assertShortened = ({ attributes, meta }: Resource, names: readonly string[], text: string) => {
    assert.deepEqual([...(meta?.truncated ?? [])].sort(), [...names].sort());
    for (const name of names) {
      const value = name
        .split('.')
        .reduce<unknown>((part, key) => Reflect.get(Object(part), key), attributes);
      assert.equal(String(value), text.repeat(LIST_TEXT_MAX / text.length), name);
    }
  };

  it('truncates long strings in lists and marks them, and returns full strings for a single resource', async () => {
    const long = 'x'.repeat(LONG / 5);
    const cloud = { provider: 'aws', account: { uid: '1', name: long } };
    await upload([
      JSON.stringify(
        record({
          cloud,
          finding_info: { uid: long, title: long },
          status_detail: long,
          resources: [{ uid: long, name: 'name' }],
        }),
      ),
    ]);
    const { body } = await list('/findings?include=provider,check');
    const [finding] = body.data;
    assert.ok(finding !== undefined);
    assertShortened(finding, ['uid', 'check_title', 'status_detail', 'resource.uid'], 'x');
    const included: readonly Resource[] = (body.included ?? []) as never;
    assertShortened(included.find(({ type }) => type === 'providers') ?? finding, ['name'], 'x');
    assertShortened(included.find(({ type }) => type === 'checks') ?? finding, ['title'], 'x');

    const one = (await client.get<Resource>(`/findings/${finding.id}?include=check`)).body;
    assert.deepEqual(
      [one.data.attributes.uid, one.data.attributes.check_title, one.data.meta],
      [long, long, undefined],
    );
    const check = (one.included ?? [])[0];
    assertShortened(check as never, ['title'], 'x');
    for (const [type, name] of [
      ['checks', 'title'],
      ['providers', 'name'],
    ] as const) {
      const [listed] = (await list(`/${type}`)).body.data;
      assertShortened(listed ?? finding, [name], 'x');
      const { body } = await client.get<Resource>(`/${type}/${encodeURIComponent(listed?.id ?? '')}`);
      assert.deepEqual([body.data.attributes[name], body.data.meta], [long, undefined]);
    }
  });

  it('truncates long strings without splitting surrogate pairs, and limits a list to the maximum length of one string', async () => {
    const categories = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(500, 'y'));
    const references = ['z'.repeat(3000), '😀'.repeat(3000), 'not shown'];
    await upload([
      JSON.stringify(
        record({
          metadata: { event_code: 'emoji' },
          finding_info: { uid: 'emoji', title: `${'t'.repeat(LIST_TEXT_MAX - 1)}😀😀` },
          unmapped: { categories },
          remediation: { desc: '😀'.repeat(2048), references },
        }),
      ),
    ]);
    const [check] = (await list('/checks?filter[search]=emoji')).body.data;
    assert.deepEqual([...(check?.meta?.truncated ?? [])].sort(), ['categories', 'references', 'title']);
    assert.equal(check?.attributes.title, 't'.repeat(LIST_TEXT_MAX - 1));
    assert.equal(check?.attributes.remediation, '😀'.repeat(2048));
    assert.deepEqual(check?.attributes.references, ['z'.repeat(3000), '😀'.repeat(547)]);
    const truncated = [...categories.slice(0, 8), categories[8]?.slice(0, 88)];
    assert.deepEqual(check?.attributes.categories, truncated);
    const [finding] = (await list('/findings?filter[check_id]=emoji')).body.data;
    assert.deepEqual(finding?.attributes.categories, truncated);
  });

  itInWholeRun(
    'limits the size and memory use of responses with 1,000 resources that contain long strings',
    async () => {
      const long = '\u0001'.repeat(LONG / 6);
      const many = Array.from({ length: 1000 }, (_, at) =>
        JSON.stringify(
          record({
            metadata: { event_code: 'shared' },
            finding_info: { uid: `${at} ${'u'.repeat(5000)}`, ...(at === 0 && { title: long }) },
            status_detail: '\u0001'.repeat(6000),
            time: 1_700_000_000 + (at === 0 ? 1 : 0),
          }),
        ),
      );
      await upload(many);
      const memory = async () =>
        Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) /
        1024;
      const before = await memory();
      const { body } = await list(
        '/findings?filter[check_id]=shared&page[size]=1000&include=check,provider,scan',
      );
      assert.equal(body.data.length, 1000);
      const max: unknown = Reflect.get(body.meta, 'text_max_length');
      assert.ok(typeof max === 'number' && max >= 256 && max < LIST_TEXT_MAX, String(max));
      for (const { attributes } of body.data) assert.equal(String(attributes.uid).length, max);
      const grown = (await memory()) - before;
      assert.ok(grown < 400, `peak memory use grew by ${grown} MiB`);
      const small = await list('/findings?filter[check_id]=shared&page[size]=5');
      assert.equal(Reflect.get(small.body.meta, 'text_max_length'), undefined);
    },
  );

  it('truncates lists of empty strings in a check that many findings share', async () => {
    const checkId = { metadata: { event_code: 'many' } };
    const categories = Array.from({ length: 200_000 }, () => '');
    const findings = Array.from({ length: 100 }, (_, at) =>
      JSON.stringify(record({ ...checkId, finding_info: { uid: `many ${at}` }, time: 1_700_000_000 })),
    );
    await upload([
      ...findings,
      JSON.stringify(record({ ...checkId, finding_info: { uid: 'newest' }, unmapped: { categories } })),
    ]);
    const { body } = await list('/findings?filter[check_id]=many&page[size]=1000');
    assert.equal(body.data.length, 101);
    for (const { attributes, meta } of body.data) {
      assert.equal(Reflect.get(Object(attributes.categories), 'length'), LIST_TEXT_MAX);
      assert.deepEqual(meta?.truncated, ['categories']);
    }
  });

  itInWholeRun(
    'reports the truncated length even if only included resources contain long strings',
    async () => {
      const long = 'i'.repeat(5000);
      await upload(
        Array.from({ length: 800 }, (_, at) =>
          JSON.stringify(
            record({
              metadata: { event_code: `included-${at}` },
              cloud: { provider: 'aws', account: { uid: 'included' } },
              finding_info: { uid: `i${at}`, title: long, desc: long },
              risk_details: long,
              remediation: { desc: long, references: [long] },
              unmapped: { categories: [long] },
            }),
          ),
        ),
      );
      const query = 'filter[account]=included&include=check&fields[findings]=status&page[size]=1000';
      const { body } = await list(`/findings?${query}`);
      assert.equal(body.included?.length, 800);
      const max: unknown = Reflect.get(body.meta, 'text_max_length');
      assert.ok(typeof max === 'number' && max < LIST_TEXT_MAX, String(max));
    },
  );

  it("truncates long strings in a job's errors and warnings", async () => {
    const long = 'x'.repeat(LONG / 2);
    const bad = { finding_info: { uid: long }, status_code: 'WRONG' };
    const odd = { finding_info: { uid: long }, severity_id: [] };
    const { id } = await upload([record(bad), record(odd)].map((each) => JSON.stringify(each)));
    for (const path of [`/ingestions/${id}/errors`, `/ingestions/${id}/warnings`]) {
      const [problem] = (await list(path)).body.data;
      assert.ok(problem !== undefined, path);
      assertShortened(problem, ['finding_uid'], 'x');
    }
  });
});
