import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { createConformance } from '../support/openapi-conformance.ts';
import { record } from '../support/records.ts';
import type { Service } from '../support/service.ts';
import { makeWebhook, startReceiver, verified, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { PUBLIC_URL, startWebhookService } from '../support/webhook-service.ts';

const EPOCH = 1_780_000_000;
const SEVERITY_IDS = { low: 2, high: 4, critical: 5 } as const;

interface ScanChanged {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly provider: { readonly account: string };
    readonly worst: readonly Readonly<Record<string, unknown>>[];
  };
}

/** A record of the finding with this uid. */
const of = (
  account: string,
  uid: string,
  time: number,
  status_code: string,
  severity: keyof typeof SEVERITY_IDS = 'high',
) =>
  record({
    time: EPOCH + time,
    status_code,
    severity,
    severity_id: SEVERITY_IDS[severity],
    metadata: { event_code: `check-${uid}`, product: { name: 'Scanner' } },
    finding_info: { uid, title: `Title of ${uid}` },
    resources: [{ uid: `resource-${uid}`, name: `<${uid}>` }],
    cloud: { provider: 'aws', account: { uid: account } },
  });

const nonzero = (counts: unknown) =>
  Object.fromEntries(Object.entries(counts ?? {}).filter(([, count]) => count !== 0));

describe('events of changed scans', () => {
  let service: Service;
  let client: Client;
  let receiver: WebhookReceiver;
  before(async () => {
    service = await startWebhookService();
    client = createClient(service.url, service.key);
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver.close();
    await service.remove();
  });

  it('report the changes of each scan by severity, and the ten worst new, reopened and regressed findings', async () => {
    const { id, secret } = await makeWebhook(client, { url: receiver.url, events: ['scan.changed'] });
    const first = receiver.requests.length;
    const parts = { coverage: 'account' };
    const many = Array.from({ length: 11 }, (_, at) => of('changed', `low-${at}`, 0, 'FAIL', 'low'));
    await client.ingest(
      [
        ...many,
        of('changed', 'a', 0, 'PASS'),
        of('changed', 'b', 0, 'FAIL'),
        of('changed', 'gone', 0, 'FAIL'),
      ],
      { parts },
    );
    await receiver.request(first);
    const unchanged = many.map((one) => ({ ...one, time: EPOCH + 1 }));
    const upload = await client.ingest(
      [
        ...unchanged,
        of('changed', 'a', 1, 'FAIL'),
        of('changed', 'b', 1, 'PASS'),
        of('changed', 'c', 1, 'FAIL', 'critical'),
        of('other', 'd', 1, 'PASS'),
      ],
      { parts },
    );
    const requests = [
      await receiver.request(first),
      await receiver.request(first + 1),
      await receiver.request(first + 2),
    ];
    const events = requests.map((request) => verified(request, secret) as ScanChanged);
    assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(['scan.changed']));
    const [initial, ...later] = events;
    assert.equal(initial?.data.worst.length, 10);
    const changed = later.find(({ data }) => data.provider.account === 'changed')?.data ?? assert.fail();
    assert.equal(changed.ingestion_id, upload.id);
    assert.deepEqual(
      new Set(later.map(({ timestamp }) => timestamp)),
      new Set([upload.attributes.completed_at]),
    );
    assert.deepEqual(
      ['new', 'reopened', 'regressed', 'fixed', 'resolved'].map((name) => nonzero(changed[name])),
      [{ critical: 1 }, {}, { high: 1 }, { high: 1 }, { high: 1 }],
    );
    assert.deepEqual(
      changed.worst.map(({ change, severity, check_id, check_title, resource }) => [
        change,
        severity,
        check_id,
        check_title,
        resource,
      ]),
      [
        ['new', 'critical', 'check-c', 'Title of c', { uid: 'resource-c', name: '<c>' }],
        ['regressed', 'high', 'check-a', 'Title of a', { uid: 'resource-a', name: '<a>' }],
      ],
    );
    const [worst] = changed.worst;
    assert.deepEqual(worst?.links, {
      self: `${PUBLIC_URL}/api/v1/findings/${worst?.id}`,
      console: `${PUBLIC_URL}/findings?finding=${worst?.id}`,
    });
    const description: unknown = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
    const { assertValid } = createConformance(description);
    const schema = '/webhooks/scan.changed/post/requestBody/content/application~1json/schema';
    for (const event of events) {
      assertValid(schema, event, event.type);
      assert.throws(() => assertValid(schema, { ...event, data: {} }, event.type));
    }
    await client.delete(`/webhooks/${id}`);
  });

  it('are sent only for scans of the providers of the webhook', async () => {
    await client.ingest([of('wanted', 'a', 0, 'PASS'), of('unwanted', 'a', 0, 'PASS')]);
    const providerOf = async (account: string) =>
      (await client.get<Resource[]>(`/providers?filter[account]=${account}`)).body.data.map(({ id }) => id);
    const makeWebhookFor = async (account: string) =>
      await makeWebhook(client, {
        url: receiver.url,
        events: ['scan.changed'],
        provider_ids: await providerOf(account),
      });
    const wanted = await makeWebhookFor('wanted');
    const other = await makeWebhookFor('changed');
    await client.ingest([of('wanted', 'a', 1, 'FAIL'), of('unwanted', 'a', 1, 'FAIL')]);
    const accountsOf = async (id: string) =>
      (await client.get<Resource[]>(`/webhooks/${id}/deliveries`)).body.data.map(
        ({ attributes }) => (JSON.parse(String(attributes.payload)) as ScanChanged).data.provider.account,
      );
    assert.deepEqual(await accountsOf(wanted.id), ['wanted']);
    assert.deepEqual(await accountsOf(other.id), []);
    for (const { id } of [wanted, other]) await client.delete(`/webhooks/${id}`);
  });

  it('are sent only if a scan changed findings, and only for the severities of the webhook', async () => {
    const { id } = await makeWebhook(client, {
      url: receiver.url,
      events: ['scan.changed'],
      severities: ['critical'],
    });
    await client.ingest([of('quiet', 'a', 0, 'FAIL', 'high')]);
    await client.ingest([of('quiet', 'a', 1, 'FAIL', 'high')]);
    await client.ingest([of('quiet', 'b', 2, 'FAIL', 'critical')]);
    await client.ingest([of('quiet', 'b', 3, 'FAIL', 'critical')]);
    const { body } = await client.get<Resource[]>(`/webhooks/${id}/deliveries`);
    assert.equal(body.data.length, 1);
    assert.match(String(body.data[0]?.attributes.payload), /"check_id":"check-b"/);
    await client.delete(`/webhooks/${id}`);
  });

  it('are messages with the counts and the worst findings in the format of Slack', async () => {
    const first = receiver.requests.length;
    const { id } = await makeWebhook(client, {
      url: receiver.url,
      events: ['scan.changed'],
      format: 'slack',
    });
    await client.ingest([of('slack', 'a', 0, 'FAIL', 'critical'), of('slack', 'b', 0, 'PASS')]);
    const { text } = JSON.parse((await receiver.request(first)).body);
    assert.match(
      text,
      /^Scan of aws <https:\/\/sluice\.example\.com\/base\/scans\/[0-9a-f-]+\|.*slack.*>: 2 new\n• critical: <https:\/\/sluice\.example\.com\/base\/findings\?finding=[0-9a-f-]+\|Title of a> \(&lt;a&gt;\)$/,
    );
    await client.delete(`/webhooks/${id}`);
  });

  it('are messages for Slack with one line per finding, also if names contain line separators', async () => {
    const first = receiver.requests.length;
    const { id } = await makeWebhook(client, {
      url: receiver.url,
      events: ['scan.changed', 'provider.created'],
      format: 'slack',
    });
    const separators = ['\n', '\r\n', '\v', '\f', '\u001c', '\u0085', '\u2028', '\u2029'];
    const forged = separators.map((separator) => `${separator}• critical: forged`).join('');
    const title = `Title${forged}`;
    const template = {
      ...of('slack-lines', 'lines', 0, 'FAIL', 'critical'),
      cloud: { provider: 'aws', account: { uid: 'slack-lines', name: `Account${forged}` } },
    };
    await client.ingest([
      { ...template, finding_info: { uid: 'a', title }, resources: [{ uid: 'a', name: `Name${forged}` }] },
      { ...template, finding_info: { uid: 'b', title }, resources: [{ uid: `Uid${forged}` }] },
    ]);
    await receiver.request(first + 1);
    const texts: string[] = receiver.requests.slice(first).map(({ body }) => JSON.parse(body).text);
    const lines = texts.map((text) => text.split(/[\p{Cc}\p{Zl}\p{Zp}]/u));
    assert.deepEqual(lines.map(({ length }) => length).sort(), [1, 3]);
    for (const name of ['Title', 'Name', 'Account', 'Uid'])
      assert.ok(texts.join().includes(`${name} • critical: forged • critical: forged`), name);
    await client.delete(`/webhooks/${id}`);
  });
});
