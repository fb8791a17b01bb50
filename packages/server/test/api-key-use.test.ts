import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiKey, makeKey } from './support/access-resources.ts';
import { type Client, createClient } from './support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from './support/deployment.ts';
import { createSandbox } from './support/sandbox.ts';
import type { Service } from './support/service.ts';
import { until } from './support/until.ts';

describe('the last use of a key', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  let shown: Service;
  let client: Client;
  before(async () => {
    deployment = await createDeployment(sandbox);
    // It writes at its stop only, so what is seen through it is what others have written.
    shown = await deployment.startApi({ SLUICE_KEY_USE_SECONDS: '3600' });
    client = createClient(shown.url, await createTenantKey(shown));
  });
  after(() => sandbox.clear());

  const lastUse = async (id: string) => {
    const { body } = await client.get<ApiKey>(`/api-keys/${id}`);
    return body.data.attributes.last_used_at;
  };
  const rowVersions = () => shown.sql('select id, xmin::text from api_keys order by id');

  it('is null before the first, written by the process that stops, and newer ones go before older', async () => {
    const { id, key } = await makeKey(client, { name: 'used' });
    const never = await makeKey(client, { name: 'never used' });
    const [first, second] = await Promise.all([
      deployment.startApi({ SLUICE_KEY_USE_SECONDS: '3600' }),
      deployment.startApi({ SLUICE_KEY_USE_SECONDS: '3600' }),
    ]);
    const startedAt = Date.now();
    assert.equal((await createClient(first.url, key).get('/limits')).status, 200);
    const between = Date.now();
    assert.equal((await createClient(second.url, key).get('/limits')).status, 200);
    assert.equal(await lastUse(id), null);

    // The later use is written first.
    await second.end();
    const later = await lastUse(id);
    assert.match(later ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.ok(Date.parse(later ?? '') >= between && between >= startedAt);
    await first.end();
    assert.equal(await lastUse(id), later);
    assert.equal(await lastUse(never.id), null);
    const { body } = await client.get<ApiKey[]>('/api-keys?sort=-last_used_at&filter[search]=used');
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.name),
      ['used', 'never used'],
    );
  });

  it('is no write per request, and none for keys that are not accepted', async () => {
    const { id, key } = await makeKey(client, { name: 'busy' });
    const revoked = await makeKey(client, { name: 'revoked' });
    await client.delete(`/api-keys/${revoked.id}`);
    const busy = await deployment.startApi({ SLUICE_KEY_USE_SECONDS: '3600' });
    const before = await rowVersions();
    const unknown = `${key.slice(0, 3)}${[...key.slice(3, 11)].reverse().join('')}${key.slice(11)}`;
    for (let time = 0; time < 20; time++) {
      for (const [presented, status] of [
        [key, 200],
        [revoked.key, 401],
        [unknown, 401],
        ['sk_nonsense', 401],
      ] as const)
        assert.equal((await createClient(busy.url, presented).get('/limits')).status, status);
    }
    assert.deepEqual(await rowVersions(), before);
    await busy.end();
    const changed = (await rowVersions()).filter((row, at) => row.xmin !== before[at]?.xmin);
    assert.deepEqual(
      changed.map((row) => row.id),
      [id],
    );
  });

  it('is written again and again while the service runs, and tried again when it could not be', async () => {
    const { id, key } = await makeKey(client, { name: 'held' });
    const other = await deployment.startApi({ SLUICE_KEY_USE_SECONDS: '1' });
    const holder = await shown.connect();
    try {
      await holder.query('begin');
      await holder.query('select from api_keys where id = $1 for update', [id]);
      assert.equal((await createClient(other.url, key).get('/limits')).status, 200);
      await until(async () => /the last use of keys could not be written/.test(other.output.stderr));
      assert.equal(await lastUse(id), null);
      await holder.query('rollback');
      const first = await until(async () => (await lastUse(id)) ?? undefined);
      assert.equal((await createClient(other.url, key).get('/limits')).status, 200);
      await until(async () => ((await lastUse(id)) ?? '') > first);
    } finally {
      await holder.end();
    }
  });
});
