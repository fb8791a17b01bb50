import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { KeyUsage } from '../../src/auth/key-usage.ts';
import { type ApiKey, makeKey } from '../support/access-resources.ts';
import { databaseOf, withPool } from '../support/administration.ts';
import { type Client, createClient } from '../support/client.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('API key last-use times', () => {
  const sandbox = createSandbox();
  /** Writes last-use times every second, but only for keys in requests to this process. */
  let service: Service;
  let client: Client;
  before(async () => {
    service = await sandbox.startService({ SLUICE_KEY_USE_SECONDS: '1', SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => sandbox.clear());

  const lastUse = async (id: string) => {
    const { body } = await client.get<ApiKey>(`/api-keys/${id}`);
    return body.data.attributes.last_used_at;
  };
  /** Returns the row versions of all keys except the test client's. */
  const rowVersions = () =>
    service.sql('select id, xmin::text from api_keys where prefix <> $1 order by id', [
      service.key.split('.')[0],
    ]);
  /** A second service process, which writes last-use times only at shutdown. */
  const startOther = async () =>
    await sandbox.startService(
      {
        DATABASE_URL: service.databaseUrl,
        SLUICE_BLOB_STORE: pathToFileURL(path.join(service.dataDir, 'blobs')).href,
        SLUICE_KEY_USE_SECONDS: '3600',
      },
      undefined,
      ['--role', 'api'],
    );

  it('writes the last-use time of an accepted API key at shutdown, and reports null until then', async () => {
    const { id, key } = await makeKey(client, { name: 'used' });
    const never = await makeKey(client, { name: 'never used' });
    const revoked = await makeKey(client, { name: 'revoked' });
    await client.delete(`/api-keys/${revoked.id}`);
    const other = await startOther();
    const before = await rowVersions();
    const unknown = `${key.slice(0, 3)}${[...key.slice(3, 11)].reverse().join('')}${key.slice(11)}`;
    let startedAt = 0;
    for (let time = 0; time < 20; time++) {
      startedAt = Date.now();
      for (const [presented, status] of [
        [key, 200],
        [revoked.key, 401],
        [unknown, 401],
        ['sk_nonsense', 401],
      ] as const)
        assert.equal((await createClient(other.url, presented).get('/limits')).status, status);
    }
    const endedAt = Date.now();
    assert.deepEqual(await rowVersions(), before);
    assert.equal(await lastUse(id), null);

    await other.end();
    const changed = (await rowVersions()).filter((row, at) => row.xmin !== before[at]?.xmin);
    assert.deepEqual(
      changed.map((row) => row.id),
      [id],
    );
    const last = await lastUse(id);
    assert.match(last ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.ok(Date.parse(last ?? '') >= startedAt && Date.parse(last ?? '') <= endedAt);
    assert.equal(await lastUse(never.id), null);
    const { body } = await client.get<ApiKey[]>('/api-keys?sort=-last_used_at&filter[search]=used');
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.name),
      ['used', 'never used'],
    );
  });

  it("does not replace an API key's last-use time with an earlier time from another process", async () => {
    const { id } = await makeKey(client, { name: 'used in two processes' });
    await withPool(databaseOf(service.databaseUrl), async (pool) => {
      const uses = () =>
        new KeyUsage({ pool, seconds: 3600, onError: (error) => assert.fail(String(error)) });
      const [first, second] = [uses(), uses()];
      first.record(service.tenantId, id);
      const between = Date.now();
      await until(async () => Date.now() > between);
      second.record(service.tenantId, id);
      assert.equal(await lastUse(id), null);

      // The later time is written first.
      await second.stop();
      const later = await lastUse(id);
      assert.ok(Date.parse(later ?? '') > between);
      await first.stop();
      assert.equal(await lastUse(id), later);
    });
  });

  itInWholeRun(
    'writes last-use times of API keys periodically, and retries after a failed write',
    async () => {
      const { id, key } = await makeKey(client, { name: 'held' });
      const holder = await service.connect();
      try {
        await holder.query('begin');
        await holder.query('select from api_keys where id = $1 for update', [id]);
        assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
        await until(async () => /the last use of API keys could not be stored/.test(service.output.stderr));
        assert.equal(await lastUse(id), null);
        await holder.query('rollback');
        const first = await until(async () => (await lastUse(id)) ?? undefined);
        assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
        await until(async () => ((await lastUse(id)) ?? '') > first);
      } finally {
        await holder.end();
      }
    },
  );
});
