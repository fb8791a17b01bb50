import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey, formatApiKey } from '../../src/auth/api-keys.ts';
import { makeKey } from '../support/access-resources.ts';
import { type ApiResponse, createClient } from '../support/client.ts';
import { LOCKS } from '../support/database-activity.ts';
import { assertRefused } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const MAX = 4;

describe('rejected API keys', () => {
  const sandbox = createSandbox();
  let service: Service;
  before(async () => {
    service = await sandbox.startService({
      SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: String(MAX),
      SLUICE_TRUSTED_PROXIES: '127.0.0.1, 2001:db8:ffff::/48',
    });
  });
  after(() => sandbox.clear());

  /** Sends a request with an X-Forwarded-For header, as a trusted proxy does. */
  const from = (forwarded: string, key: string) =>
    createClient(service.url, key).get('/limits', { 'x-forwarded-for': forwarded });
  /** Counts the key lookups that wait for the table lock. */
  const waiting = async () => {
    const [row] = await service.sql<{ waiting: number }>(
      `select count(*)::int as waiting from ${LOCKS} where relation = 'sluice.api_keys'::regclass and not granted`,
    );
    return row?.waiting ?? 0;
  };
  const refused = async (forwarded: string) => (await from(forwarded, 'sk_wrong')).status;
  const exhaust = async (forwarded: string) => {
    for (let time = 0; time < MAX; time++) assert.equal(await refused(forwarded), 401);
  };
  const assertTooMany = (response: ApiResponse<unknown>, seen: number) => {
    const { meta } = assertRefused(response, {
      status: 429,
      code: 'rate_limited',
      detail: new RegExp(
        `^This address sent ${seen} invalid API keys in a minute; the maximum is ${MAX}\\. .* try again in \\d+ seconds?\\.$`,
        'i',
      ),
    });
    assert.deepEqual(meta, { limit: 'failed_authentications_per_minute', max: MAX, seen });
    const seconds = Number(response.headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  };

  it('returns 429 to an address with too many rejected API keys, but accepts a valid key from the same address', async () => {
    await exhaust('192.0.2.1');
    const unknown = formatApiKey(createApiKey());
    let seen = MAX;
    for (const key of ['sk_wrong', unknown, `${service.key}x`])
      assertTooMany(await from('192.0.2.1', key), ++seen);
    for (let time = 0; time < 3; time++) assert.equal((await from('192.0.2.1', service.key)).status, 200);
    assertTooMany(await from('192.0.2.1', 'sk_wrong'), ++seen);
    assert.equal(await refused('192.0.2.2'), 401);
  });

  it('does not count requests without an API key or without permission as rejected API keys', async () => {
    const address = '192.0.2.10';
    const headers = { 'x-forwarded-for': address };
    for (let time = 0; time <= MAX; time++)
      assert.equal((await fetch(`${service.url}/api/v1/limits`, { headers })).status, 401);
    const restricted = await makeKey(createClient(service.url, service.key), {
      name: 'n',
      permissions: ['manage_scans'],
    });
    for (let time = 0; time <= MAX; time++)
      assert.equal((await createClient(service.url, restricted.key).get('/ingestions', headers)).status, 401);
    await exhaust(address);
    assert.equal(await refused(address), 429);
  });

  it('counts rejected API keys per IPv6 /64 prefix and per IPv4 address, in any notation', async () => {
    await exhaust('2001:db8:1:2::1');
    for (const same of ['2001:db8:1:2:ffff::1', '2001:DB8:0001:2:a:b:c:d', '[2001:db8:1:2::9]:4711'])
      assert.equal(await refused(same), 429, same);
    for (const other of ['2001:db8:1:3::1', '2001:db8:1::2', '::2'])
      assert.equal(await refused(other), 401, other);
    await exhaust('192.0.2.20');
    for (const same of ['::ffff:192.0.2.20', '192.0.2.20:50123'])
      assert.equal(await refused(same), 429, same);
  });

  it('looks up API keys one at a time for an address with too many rejected keys', async () => {
    await exhaust('192.0.2.40');
    const unknown = formatApiKey(createApiKey());
    const locked = await service.connect();
    try {
      await locked.query('begin; lock table api_keys in access exclusive mode');
      const flood = Array.from({ length: 30 }, () => from('192.0.2.40', unknown));
      await until(async () => (await waiting()) > 0);
      const other = from('192.0.2.41', service.key);
      await until(async () => (await waiting()) > 1);
      // Long enough for any other lookup to reach the lock.
      await sleep(300);
      assert.equal(await waiting(), 2);
      await locked.query('commit');
      assert.equal((await other).status, 200);
      for (const { status } of await Promise.all(flood)) assert.equal(status, 429);
      assert.equal((await from('192.0.2.40', service.key)).status, 200);
    } finally {
      await locked.end();
    }
  });

  it('counts rejected API keys by the last untrusted address in X-Forwarded-For, and ignores addresses set by clients', async () => {
    await exhaust('192.0.2.30');
    assert.equal(await refused('198.51.100.1, 192.0.2.30'), 429);
    assert.equal(await refused('192.0.2.30, 2001:db8:ffff::1'), 429);
    assert.equal(await refused('192.0.2.30, 198.51.100.2'), 401);
    // An invalid address is ignored, and the proxy's address is used.
    for (let time = 0; time < MAX; time++) assert.equal(await refused(`nobody-${time}`), 401);
    assert.equal(await refused('nobody-else'), 429);
  });

  it('records the client address behind a trusted proxy in the audit trail', async () => {
    const client = createClient(service.url, service.key);
    const document = { data: { type: 'api-keys', attributes: { name: 'from elsewhere' } } };
    const { status } = await client.send('/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.api+json', 'x-forwarded-for': '192.0.2.99' },
      body: JSON.stringify(document),
    });
    assert.equal(status, 201);
    const [event] = await service.sql('select address from audit_events order by occurred_at desc limit 1');
    assert.equal(event?.address, '192.0.2.99');
  });

  it('counts rejected API keys by the peer address if no proxy is trusted', async () => {
    const plain = await sandbox.startService({ SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: '2' });
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) {
      const headers = { 'x-forwarded-for': `192.0.2.${time}` };
      statuses.push((await createClient(plain.url, 'sk_wrong').get('/limits', headers)).status);
    }
    assert.deepEqual(statuses, [401, 401, 429]);
  });

  it('exits with an error if SLUICE_TRUSTED_PROXIES is invalid', async () => {
    const ranges = ['10.0.0.0/33', 'proxy.example.com', '10.0.0.0/0'];
    const others = ['10.0.0.1;10.0.0.2', '::1/129', 'loopback', '10.0.0.0/8/8'];
    for (const invalid of [...ranges, ...others]) {
      const { code, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
        SLUICE_TRUSTED_PROXIES: invalid,
      });
      assert.notEqual(code, 0);
      assert.match(stderr, /SLUICE_TRUSTED_PROXIES must be comma-separated addresses or ranges/);
      assert.ok(stderr.includes(invalid));
    }
  });
});
