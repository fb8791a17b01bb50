import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, DOCUMENT_TYPE, type Ingestion } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertRefusedWithoutTrace } from '../../support/refusal.ts';

/** A job or a scan. */
interface Labelled {
  readonly id: string;
  readonly relationships: { readonly ingestion: { readonly data: { readonly id: string } } };
  readonly meta: { readonly labels: Readonly<Record<string, string>> };
}

const PIPELINE = 'https://ci.example.com/jobs/7?a=1,b&c=ü';

describe('the labels of an upload', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const ingest = (label: readonly string[]) => client.ingest([record()], { parts: { label } });
  /** The ids of the listed ingestions, or of the ingestions of the listed scans. */
  const listed = async (list: 'ingestions' | 'scans', label: string) => {
    const { status, body } = await client.get<Labelled[]>(
      `/${list}?filter[label]=${encodeURIComponent(label)}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ id, relationships }) =>
      list === 'ingestions' ? id : relationships.ingestion.data.id,
    );
  };

  it('returns the labels of an upload with its job and its scans', async () => {
    const labels = ['branch=main', `pipeline/url=${PIPELINE}`, 'a=b=c', 'constructor=x', 'padded=  x '];
    const { status, body } = await client.upload([record()], { parts: { label: labels } });
    assert.equal(status, 202);
    const expected = {
      branch: 'main',
      'pipeline/url': PIPELINE,
      a: 'b=c',
      constructor: 'x',
      padded: 'x',
    };
    assert.deepEqual({ ...Object(body.data.meta.labels) }, expected);
    const { id, meta } = await client.ended(body.data.id);
    assert.deepEqual(meta.labels, expected);
    const scans = await client.get<Labelled[]>(`/scans?filter[ingestion]=${id}&include=ingestion`);
    assert.deepEqual(scans.body.data[0]?.meta.labels, expected);
    assert.deepEqual(Object(scans.body.included?.[0]).meta.labels, expected);
    const scan = await client.get<Labelled>(`/scans/${scans.body.data[0]?.id}`);
    assert.deepEqual(scan.body.data.meta.labels, expected);
  });

  it('returns an empty object for the labels of an upload without any', async () => {
    assert.deepEqual((await client.ingest([record()])).meta.labels, {});
  });

  it('filters jobs and scans by label; if a filter has several labels, all of them must match', async () => {
    const both = await ingest(['team=storage', `url=${PIPELINE}`]);
    const one = await ingest(['team=storage', 'url=other']);
    await ingest(['team=network']);
    for (const list of ['ingestions', 'scans'] as const) {
      assert.deepEqual((await listed(list, 'team=storage')).sort(), [both.id, one.id].sort());
      assert.deepEqual(await listed(list, `team=storage,url=${PIPELINE}`), [both.id]);
      assert.deepEqual(await listed(list, `url=${PIPELINE},team=storage`), [both.id]);
      assert.deepEqual(await listed(list, 'team=stor'), []);
      assert.deepEqual(await listed(list, 'team=network,url=other'), []);
    }
  });

  for (const [name, label, detail] of [
    ['without a value', 'branch', /form 'key=value'/],
    ['with a key that begins with a hyphen', '-x=1', /Begin the key with a letter or a digit/],
    ['with a repeated key', 'a=1,a=2', /'a' appears more than once/],
  ] as const)
    it(`rejects a filter by a label ${name}`, async () => {
      const { status, body } = await client.get(`/scans?filter[label]=${encodeURIComponent(label)}`);
      assert.equal(status, 400);
      assert.deepEqual(body.errors[0]?.source, { parameter: 'filter[label]' });
      assert.match(body.errors[0]?.detail ?? '', detail);
    });

  for (const [name, label, detail] of [
    ['without an equals sign', ['branch'], /form 'key=value'/],
    ['without a key', ['=main'], /form 'key=value'/],
    ['with a key of 64 characters', [`${'k'.repeat(64)}=1`], /up to 63 letters/],
    ['with a space in the key', ['my branch=main'], /form 'key=value'/],
    ['with a blank value', ['branch= '], /blank/],
    ['with a value of 1,025 characters', [`a=${'x'.repeat(1025)}`], /longer than 1024 characters/],
    ['with a value of 10,000 characters', [`a=${'x'.repeat(10_000)}`], /longer than 1024 characters/],
    ['with U+0000 in its value', ['a=b\0c'], /control characters/],
    ['with a line break in its value', ['a=b\nc'], /control characters/],
    ['with a repeated key', ['a=1', 'a=1'], /'a' was sent more than once/],
    ['after ten others', Array.from({ length: 11 }, (_, at) => `key-${at}=1`), /more than 10 labels/],
  ] as const)
    it(`rejects an upload with a label ${name}`, async () => {
      await assertRefusedWithoutTrace(service, () => client.upload([record()], { parts: { label } }), {
        status: 400,
        code: 'invalid_part',
        detail,
        source: { pointer: '/label' },
      });
    });

  it('accepts ten labels with values of 1,024 characters', async () => {
    const label = Array.from({ length: 10 }, (_, at) => `key-${at}=${'ü'.repeat(1024)}`);
    assert.equal(Object.keys(Object((await ingest(label)).meta.labels)).length, 10);
  });

  it('compares labels, in any order, if an Idempotency-Key is used again', async () => {
    const upload = async (label: readonly string[]) => {
      const headers = { 'idempotency-key': 'labels' };
      const { status, body } = await client.upload([record()], { parts: { label }, headers });
      return status === 202 ? body.data.id : body.errors[0]?.code;
    };
    const first = await upload(['a=1', 'b=2']);
    assert.equal(await upload(['b=2', 'a=1']), first);
    assert.equal(await upload(['a=1']), 'idempotency_key_reused');
    assert.equal(await upload(['a=1', 'b=3']), 'idempotency_key_reused');
  });

  it('copies the labels of an upload to a retry with other defaults', async () => {
    const original = await ingest(['branch=main']);
    const { status, body } = await client.send<Ingestion>(`/ingestions/${original.id}/retry`, {
      method: 'POST',
      headers: { 'content-type': DOCUMENT_TYPE },
      body: JSON.stringify({ data: { type: 'ingestions' } }),
    });
    assert.equal(status, 202);
    assert.deepEqual(body.data.meta.labels, { branch: 'main' });
  });
});
