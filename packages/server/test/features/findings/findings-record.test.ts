import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { arrayFile } from '../../support/array-file.ts';
import { type ApiTextResponse, type Client, createClient } from '../../support/client.ts';
import { extractRaw } from '../../support/extract-raw.ts';
import { deleteButHold } from '../../support/held-provider.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { readStored } from '../../support/stored-frames.ts';

interface Resource {
  readonly id: string;
  readonly attributes: Record<string, unknown> & { readonly raw: unknown };
}

const text = (uid: string, members: Record<string, unknown> = {}) =>
  JSON.stringify(record({ finding_info: { uid }, ...members }));
/** Returns a record with text inserted before the closing brace. */
const extended = (uid: string, more: string) => `${text(uid).slice(0, -1)}${more}}`;

describe('a single finding with its record', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
  });
  after(() => service.leave());

  const idOf = async (uid: string) => {
    const [row] = await service.sql<{ id: string }>(
      'select id from findings where tenant_id = $1 and uid = $2',
      [service.tenantId, uid],
    );
    assert.ok(row !== undefined, uid);
    return row.id;
  };
  const get = async (id: string, query = ''): Promise<ApiTextResponse<Resource>> =>
    await client.get<Resource>(`/findings/${id}?${query}`);
  const recordOf = async (uid: string) => {
    const { status, text } = await get(await idOf(uid));
    assert.equal(status, 200);
    return extractRaw(text);
  };

  it("embeds a finding's record byte for byte as JSON, regardless of the formatting of the record", async () => {
    const texts: Record<string, string> = {
      plain: text('plain'),
      repeated: extended('repeated', ',"time":1,"time":1780000000,"time" : 1780000001'),
      numbers: extended('numbers', ',"x":[1.0,1e2,-0,12345678901234567890,0.10000000000000000001]'),
      spaced: extended('spaced', '\r\n\t , "y" :\n[ ]  \t'),
      escaped: extended('escaped', String.raw`,"z":"\u0041\/\ud83d\ude00 \ud800 \u0000"`),
      replaced: extended('replaced', String.raw`,"$&":"$1 $$ $\u0060"`),
      'Grüße 😀': text('Grüße 😀', { status_detail: 'ü\u2028\u0085\ufeff' }),
    };
    await client.ingest(arrayFile(Object.values(texts)).bytes);
    for (const [uid, expected] of Object.entries(texts)) assert.equal(await recordOf(uid), expected);
  });

  itInWholeRun(
    'returns records from the middle of large frames and from every frame of a compressed file',
    async () => {
      // Random text does not compress, so a 12 MiB frame ends after about 60 records.
      const noise = () => randomBytes(150_000).toString('base64');
      const texts = Array.from({ length: 70 }, (_, i) => text(`large-${i}`, { noise: noise() }));
      const job = await client.ingest(gzipSync(arrayFile(texts).bytes, { level: 1 }));
      const { frames } = await readStored(service, job);
      assert.ok(frames.length > 1);
      for (const i of [0, 1, 59, 60, 61, 62, 63, 68, 69])
        assert.equal(await recordOf(`large-${i}`), texts[i]);
      const together = await Promise.all([3, 40, 64, 67].map((i) => recordOf(`large-${i}`)));
      assert.deepEqual(together, [texts[3], texts[40], texts[64], texts[67]]);
    },
  );

  it("returns a finding's newest record, regardless of the upload order", async () => {
    const [old, newer, late] = [1_780_000_000, 1_780_000_100, 1_780_000_050].map((time) =>
      text('again', { time, status_code: time === 1_780_000_100 ? 'PASS' : 'FAIL' }),
    );
    await client.ingest(arrayFile([old ?? '']).bytes);
    await client.ingest(arrayFile([text('other'), newer ?? '', old ?? '']).bytes);
    await client.ingest(arrayFile([late ?? '']).bytes);
    assert.equal(await recordOf('again'), newer);
  });

  it('returns the same attributes for a single finding as in the findings list', async () => {
    await client.ingest(arrayFile([text('same')]).bytes);
    const { body } = await get(await idOf('same'));
    const { raw, ...attributes } = body.data.attributes;
    assert.deepEqual(raw, JSON.parse(text('same')));
    const { body: list } = await client.get<Resource[]>('/findings?page[size]=1000');
    const listed = list.data.find(({ id }) => id === body.data.id);
    assert.deepEqual({ ...body.data, attributes }, listed);
  });

  it('supports fields and include for a single finding, and reads the record only if requested', async () => {
    const job = await client.ingest(arrayFile([text('fields')]).bytes);
    const id = await idOf('fields');
    const { body } = await get(id, 'fields[findings]=raw&include=check');
    assert.deepEqual(body.data.attributes, { raw: JSON.parse(text('fields')) });
    const { included }: { data: unknown; included?: readonly { id: string }[] } = body;
    assert.deepEqual(
      included?.map((resource) => resource.id),
      ['aws.bucket_not_public'],
    );

    await rm((await readStored(service, job)).path);
    const without = await get(id, 'fields[findings]=status');
    assert.deepEqual([without.status, without.body.data.attributes], [200, { status: 'FAIL' }]);
    const broken = await get(id);
    assert.deepEqual([broken.status, broken.body.errors[0]?.code], [503, 'file_missing']);
    assert.match(service.output.stdout + service.output.stderr, /ENOENT/);
  });

  it('returns the same 404 for a finding ID that is invalid, unknown, from another tenant or from a deleted provider', async () => {
    await second.client.ingest([record({ finding_info: { uid: 'theirs' } })]);
    const [foreign] = await service.ownerSql<{ id: string }>('select id from findings where tenant_id = $1', [
      second.id,
    ]);
    await client.ingest([record({ finding_info: { uid: 'gone' }, cloud: { account: { uid: 'gone' } } })]);
    const deleted = await idOf('gone');
    assert.equal((await get(deleted)).status, 200);
    const [provider] = await service.sql<{ id: string }>("select id from providers where account = 'gone'");
    const deletedProvider = await deleteButHold(service, provider?.id ?? '');
    const responses = await Promise.all(
      [foreign?.id ?? '', deleted, randomUUID(), 'nonsense', '%00'].map((id) => get(id)),
    );
    await deletedProvider.letGo();
    for (const { status, body } of responses) {
      assert.equal(status, 404);
      assert.deepEqual(body.errors[0]?.detail, 'No finding has this ID.');
    }
  });

  it('returns 400 for list parameters in a request for a single finding', async () => {
    const id = await idOf('plain');
    for (const [query, parameter] of [
      ['sort=status', 'sort'],
      ['page[size]=1', 'page[size]'],
      ['filter[status]=FAIL', 'filter[status]'],
      ['include=users', 'include'],
    ] as const) {
      const { status, body } = await get(id, query);
      assert.deepEqual([status, body.errors[0]?.source], [400, { parameter }]);
    }
  });
});
