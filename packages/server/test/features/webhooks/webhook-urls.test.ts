import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { assertRefused } from '../../support/refusal.ts';
import {
  deleteWebhooks,
  deliveryWith,
  makeWebhook,
  patchWebhook,
  post,
  postWebhook,
  readWebhook,
} from '../../support/webhook-receiver.ts';

/** A name that no server resolves (RFC 6761, section 6.4). */
const URL_TEXT = 'https://receiver.invalid/';
const URL_SOURCE = { pointer: '/data/attributes/url' };

describe('the URL of a webhook', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(async () => {
    await deleteWebhooks(client);
    await service.leave();
  });

  it('rejects invalid URLs of webhooks, and URLs with an address that is not public', async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT });
    const refused: readonly (readonly [string, number, string, RegExp])[] = [
      ['nonsense', 400, 'invalid_document', /^The value is not a URL\.$/],
      ['http://example.com/', 400, 'invalid_document', /^The URL must start with https:\.$/],
      ['https://a:b@example.com/', 400, 'invalid_document', /user name or a password/],
      ['https://2130706433/', 422, 'address_not_allowed', /^The host is not a public address\./],
      ['https://[::ffff:127.0.0.1]/', 422, 'address_not_allowed', /^The host is not a public address\./],
    ];
    for (const [url, status, code, detail] of refused) {
      const refusal = { status, code, detail, source: URL_SOURCE };
      assertRefused(await postWebhook(client, { url }), refusal);
      assertRefused(await patchWebhook(client, id, { url }), refusal);
    }
    assert.equal((await readWebhook(client, id)).url, URL_TEXT);
  });

  it('does not connect to a name that resolves to a loopback address', async () => {
    let connections = 0;
    const server = createServer(() => connections++);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    server.unref();
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const { id } = await makeWebhook(client, { url: `https://localhost:${address.port}/` });
    const { status } = await post(client, `/webhooks/${id}/test`);
    assert.equal(status, 202);
    const { attributes } = await deliveryWith(client, id, ({ attempts }) => attempts > 0);
    assert.deepEqual(
      [attributes.status, attributes.response_status, attributes.error],
      ['pending', null, 'The host has an address that is not public.'],
    );
    assert.equal(connections, 0);
    await new Promise((resolve) => server.close(resolve));
  });
});
