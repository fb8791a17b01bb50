import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

interface Check {
  readonly id: string;
  readonly attributes: { readonly provider_type: string; readonly check_id: string };
  readonly relationships: { readonly findings: { readonly links: { readonly related: string } } };
  readonly links: { readonly self: string };
}
interface Finding {
  readonly id: string;
  readonly attributes: { readonly provider_type: string; readonly check_id: string };
  readonly relationships: {
    readonly check: { readonly data: { readonly id: string }; readonly links: { readonly related: string } };
  };
}

/** Each row has a provider type, a check ID and a resource ID. Without encoding, the first two rows would have the same resource ID. */
const CHECKS = [
  ['my', 'cloud.check', 'my.cloud.check'],
  ['my.cloud', 'check', 'my%2Ecloud.check'],
  ['my%2ecloud', 'check', 'my%252ecloud.check'],
  ['.%.', '.50%.%2E', '%2E%25%2E..50%.%2E'],
  ['100%', '%25', '100%25.%25'],
] as const;

describe('check IDs for provider types that contain a dot or percent sign', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    await client.ingest(
      CHECKS.map(([provider, event_code]) => record({ cloud: { provider }, metadata: { event_code } })),
    );
  });
  after(() => service.leave());

  const pathOf = (url: string) => url.slice(`${service.url}/api/v1`.length);
  const list = async (query = '') => (await client.get<Check[]>(`/checks?${query}`)).body.data;

  it('lists checks with unique IDs even if provider types contain a dot or percent sign', async () => {
    const listed = (await list()).map(({ id, attributes: { provider_type, check_id } }) => [
      provider_type,
      check_id,
      id,
    ]);
    assert.deepEqual(listed.sort(), CHECKS.map((check) => [...check]).sort());
  });

  it('links a check with an encoded ID to itself and to its findings', async () => {
    const checks = await list();
    assert.equal(checks.length, CHECKS.length);
    for (const check of checks) {
      const one = await client.get<Check>(pathOf(check.links.self));
      assert.deepEqual([one.status, one.body.data], [200, check]);
      const { body } = await client.get<Finding[]>(pathOf(check.relationships.findings.links.related));
      assert.deepEqual(
        body.data.map(({ relationships }) => relationships.check.data.id),
        [check.id],
      );
    }
  });

  it('uses encoded check IDs in the relationships, links and included resources of findings', async () => {
    const { body } = await client.get<Finding[]>('/findings?include=check');
    const { included = [] } = body;
    assert.equal(body.data.length, CHECKS.length);
    assert.equal(included.length, CHECKS.length);
    for (const { attributes, relationships } of body.data) {
      const { data, links } = relationships.check;
      const check = included.find(({ id }) => id === data.id);
      assert.deepEqual(
        [check?.attributes.provider_type, check?.attributes.check_id],
        [attributes.provider_type, attributes.check_id],
      );
      assert.equal(links.related, check?.links.self);
    }
  });

  it('finds a check when a search contains its encoded ID', async () => {
    for (const [, , id] of CHECKS) {
      const found = await list(`filter[search]=${encodeURIComponent(id)}`);
      assert.ok(
        found.some((check) => check.id === id),
        id,
      );
    }
  });

  it('returns 404 for any other encoding of a check ID', async () => {
    for (const id of ['my%2ecloud.check', '%6dy.cloud.check', '100%.%25', '%2.check', 'my%2Ecloud%2Echeck']) {
      const { status } = await client.get(`/checks/${encodeURIComponent(id)}`);
      assert.equal(status, 404, id);
    }
  });
});
