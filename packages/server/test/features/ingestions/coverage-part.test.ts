import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

describe('the text part `coverage`', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  for (const [name, parts, detail] of [
    ['an unknown coverage', { coverage: 'all' }, /'partial', 'checks', 'account'/],
    ['two coverages', { coverage: ['checks', 'account'] }, /more than once/],
  ] as const)
    it(`rejects an upload with ${name}`, async () => {
      const { status, body } = await client.upload([record()], { parts });
      assert.equal(status, 400);
      assert.equal(body.errors[0]?.code, 'invalid_part');
      assert.equal(body.errors[0]?.source?.pointer, '/coverage');
      assert.match(body.errors[0]?.detail ?? '', detail);
    });

  it('does not treat uploads with different coverage as the same request', async () => {
    const headers = { 'idempotency-key': 'coverage-key' };
    const first = await client.upload([record()], { headers });
    const same = await client.upload([record()], { headers, parts: { coverage: 'partial' } });
    assert.equal(same.body.data.id, first.body.data.id);
    const other = await client.upload([record()], { headers, parts: { coverage: 'checks' } });
    assert.equal(other.status, 422);
  });
});
