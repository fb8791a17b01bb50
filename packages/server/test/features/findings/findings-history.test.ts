import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

const EPOCH = 1_780_000_000;
const DAY = 86_400;
const iso = (day: number) => new Date((EPOCH + day * DAY) * 1000).toISOString().replace('Z', '000Z');

/** A record of a finding on a day. */
const on = (day: number, account: string, uid: string, status: string) =>
  record({
    time: EPOCH + day * DAY,
    status_code: status,
    metadata: { product: { name: 'Scanner' } },
    finding_info: { uid },
    cloud: { provider: 'aws', account: { uid: account } },
    unmapped: { scan_id: `scan of ${account} on day ${day}` },
  });

describe('the history of a finding', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const parts = { coverage: 'account' };
  const findings = async (query: string) =>
    (await client.get<Resource[]>(`/findings?filter[state]=open,resolved&${query}`)).body.data;

  it('contains the times of the records, and when Sluice learned of them from which upload and scan', async () => {
    const uploads: { readonly id: string; readonly from: number; readonly to: number }[] = [];
    for (const [day, status] of [[0, 'FAIL'], [1, 'PASS'], [2], [3, 'FAIL']] as const) {
      const file = [
        on(day, 'other', 'kept', 'FAIL'),
        on(day, 'changed', 'kept', 'FAIL'),
        ...(status === undefined ? [] : [on(day, 'changed', 'changing', status)]),
      ];
      const from = Date.now();
      const { id } = await client.ingest(file, { parts });
      uploads.push({ id, from, to: Date.now() });
    }
    const [finding] = await findings('filter[account]=changed&filter[uid]=changing');
    assert.ok(finding);
    const { body } = await client.get<Resource[]>(`/findings/${finding.id}/history`);
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.change),
      ['reopened', 'resolved', 'fixed', 'new'],
    );
    for (const [day, { attributes, relationships }] of body.data.toReversed().entries()) {
      const upload = uploads[day];
      assert.ok(upload);
      assert.equal(attributes.occurred_at, iso(day));
      const learned = Date.parse(String(attributes.learned_at));
      assert.ok(learned >= upload.from && learned <= upload.to, `${attributes.learned_at} on day ${day}`);
      assert.equal(relationships.ingestion?.data.id, upload.id);
      const scan = await client.get<Resource>(`/scans/${relationships.scan?.data.id}`);
      assert.deepEqual(
        [scan.body.data.attributes.uid, scan.body.data.relationships.ingestion?.data.id],
        [`scan of changed on day ${day}`, upload.id],
      );
    }
  });

  it('lists a resolution before the record with the same time, in the order of time, whichever was uploaded first', async () => {
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
    ]) {
      const account = `equal times ${order.join('')}`;
      const uploads = [
        { file: [on(0, account, 'seen', 'FAIL')], parts: {} },
        { file: [on(1, account, 'other', 'FAIL')], parts },
        { file: [on(1, account, 'seen', 'PASS')], parts: {} },
      ];
      for (const at of order) {
        const upload = uploads[at] ?? assert.fail();
        await client.ingest(upload.file, { parts: upload.parts });
      }
      const [finding] = await findings(`filter[uid]=seen&filter[account]=${encodeURIComponent(account)}`);
      const changes = async (query: string) =>
        (await client.get<Resource[]>(`/findings/${finding?.id}/history${query}`)).body.data.map(
          ({ attributes }) => attributes.change,
        );
      assert.equal(finding?.attributes.state, 'open');
      assert.deepEqual(await changes(''), ['reopened', 'resolved', 'new']);
      assert.deepEqual(await changes('?sort=occurred_at'), ['new', 'resolved', 'reopened']);
    }
  });

  it('takes space only for changes', async () => {
    const countEvents = async () => {
      const [row] = await service.sql<{ count: number }>('select count(*)::int as count from finding_events');
      return row?.count ?? assert.fail();
    };
    const earlier = await countEvents();
    const file = (day: number, status = 'FAIL') => [
      on(day, 'repeated', 'a', status),
      on(day, 'repeated', 'b', 'PASS'),
      on(day, 'repeated', 'c', 'MANUAL'),
    ];
    const countsAfter: number[] = [];
    const upload = async (records: ReturnType<typeof file>) => {
      await client.ingest(records, { parts });
      countsAfter.push((await countEvents()) - earlier);
    };
    await upload(file(0));
    await upload(file(0));
    await upload(file(1));
    await upload(file(2, 'PASS'));
    await upload(file(2, 'PASS'));
    await upload(file(3, 'PASS'));
    await upload(file(4, 'PASS').slice(1));
    await upload(file(5, 'PASS').slice(1));
    assert.deepEqual(countsAfter, [0, 0, 0, 1, 1, 1, 2, 2]);
  });
});
