import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { emulators } from './support/emulators.ts';
import { ALL_SCOPES, type ScannerClient, scannerClient } from './support/scanner-client.ts';

const organizations = emulators();
after(() => organizations.stopAll());

const codeOf = async (response: Response): Promise<[number, string]> => {
  const { errorCode }: { errorCode: string } = JSON.parse(await response.text());
  return [response.status, errorCode];
};
const idsOf = async (client: ScannerClient, path: string) =>
  (await client.list(path)).items.map(({ id }) => id);

describe('management API lists', () => {
  it('returns a list in full pages of 20 objects', async () => {
    const emulator = await organizations.start({ organization: 'large' });
    const client = await scannerClient(emulator);
    const { items, pages } = await client.list('/api/v1/api-tokens');
    const all = emulator.organization.apiTokens.map(({ id }) => id);
    assert.deepEqual([all.length, pages], [2003, 101]);
    assert.deepEqual(
      items.map(({ id }) => id),
      all,
    );
  });

  it('returns pages of `limit` objects and keeps the other parameters in links', async () => {
    const emulator = await organizations.start({ pageSize: 2 });
    const client = await scannerClient(emulator);
    const expected = ['00pSessionStaff', '00pSessionDefault', '00pSessionRetired'];
    for (const [parameters, pages] of [
      ['', 2],
      ['&limit=1', 3],
      ['&limit=200', 1],
    ] as const) {
      const list = await client.list(`/api/v1/policies?type=DIRECTORY_SIGN_ON${parameters}`);
      assert.deepEqual([list.items.map(({ id }) => id), list.pages], [expected, pages]);
    }
  });

  it('continues after the last returned object if a list grows between two pages', async () => {
    const emulator = await organizations.start();
    const client = await scannerClient(emulator);
    const first = await client.get('/api/v1/zones?limit=2');
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    emulator.organization.zones.unshift({ id: 'nzoNew', name: 'New' });
    assert.deepEqual(await idsOf(client, next), ['nzoAnonymizers', 'nzoOldBlocklist']);
  });

  it('rejects an invalid limit or cursor', async () => {
    const client = await scannerClient(await organizations.start());
    for (const query of ['limit=201', 'limit=0', 'limit=many', 'after=3,nzoNowhere'])
      assert.deepEqual(await codeOf(await client.get(`/api/v1/zones?${query}`)), [400, 'E0000001']);
  });

  it('filters apps by name and rejects other filters', async () => {
    const client = await scannerClient(await organizations.start());
    const filtered = (filter: string) => `/api/v1/apps?filter=${encodeURIComponent(filter)}`;
    assert.deepEqual(await idsOf(client, filtered('name eq "saasure"')), ['0oaAdminConsole']);
    assert.deepEqual(await idsOf(client, filtered('name eq "nothing"')), []);
    assert.deepEqual(await codeOf(await client.get(filtered('label co "a"'))), [400, 'E0000031']);
  });

  it('requires a known type to list policies', async () => {
    const client = await scannerClient(await organizations.start());
    for (const query of ['', '?type=OKTA_SIGN_ON'])
      assert.deepEqual(await codeOf(await client.get(`/api/v1/policies${query}`)), [400, 'E0000001']);
  });
});

describe('management API requests', () => {
  it('returns 401 without a token and 404 for an unknown path', async () => {
    const emulator = await organizations.start();
    const client = await scannerClient(emulator);
    assert.deepEqual(await codeOf(await fetch(`${emulator.url}/api/v1/zones`)), [401, 'E0000011']);
    for (const path of ['/api/v1/robots', '/api/v1/policies/none/rules', '/api/v1/users/none/roles'])
      assert.deepEqual(await codeOf(await client.get(path)), [404, 'E0000007']);
  });

  it('returns 405 for methods other than GET', async () => {
    const emulator = await organizations.start({ dpop: 'off' });
    const { access_token } = await (await scannerClient(emulator, { dpop: false })).token();
    const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${emulator.url}/api/v1/zones`, { method: 'POST', headers, body: '{}' });
    assert.deepEqual(await codeOf(response), [405, 'E0000022']);
  });

  it('returns 403 for a token without the required scope', async () => {
    const client = await scannerClient(await organizations.start(), { scope: 'directory.policies.read' });
    const response = await client.get('/api/v1/zones');
    assert.match(response.headers.get('www-authenticate') ?? '', /insufficient_scope/);
    assert.deepEqual(await codeOf(response), [403, 'E0000006']);
    assert.equal((await client.get('/api/v1/policies?type=PASSWORD')).status, 200);
  });

  it('returns headers with the request ID and the rate limit', async () => {
    const client = await scannerClient(await organizations.start());
    const { headers } = await client.get('/api/v1/zones');
    assert.match(headers.get('x-directory-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(headers.get('x-rate-limit-limit'), '1000000');
    assert.equal(headers.get('x-rate-limit-remaining'), '999999');
  });
});

describe('management API roles', () => {
  const FIRST_PARTY = '/api/v1/first-party-app-settings/admin-console';

  it('lists all apps and settings for a Super Administrator', async () => {
    const client = await scannerClient(await organizations.start());
    assert.equal((await client.list('/api/v1/apps')).items.length, 7);
    assert.equal((await client.get(FIRST_PARTY)).status, 200);
  });

  it('hides unassigned apps and Admin Console settings from a read-only administrator', async () => {
    const client = await scannerClient(await organizations.start({ role: 'read-only' }));
    assert.deepEqual(await idsOf(client, '/api/v1/apps'), ['0oaScannerServiceApp']);
    const filter = encodeURIComponent('name eq "directory_enduser"');
    assert.deepEqual(await idsOf(client, `/api/v1/apps?filter=${filter}`), []);
    assert.equal((await client.get('/api/v1/apps/0oaAdminConsole')).status, 404);
    assert.deepEqual(await codeOf(await client.get(FIRST_PARTY)), [403, 'E0000006']);
    assert.equal((await client.list('/api/v1/zones')).items.length, 4);
  });

  it('issues a token to a client without a role but rejects all reads', async () => {
    const client = await scannerClient(await organizations.start({ role: 'none' }));
    for (const path of ['/api/v1/policies?type=DIRECTORY_SIGN_ON&limit=1', '/api/v1/idps', '/api/v1/apps'])
      assert.deepEqual(await codeOf(await client.get(path)), [403, 'E0000006']);
  });
});

describe('management API rate limit', () => {
  it('rejects requests over the rate limit until the reported reset time', async () => {
    const emulator = await organizations.start({ rateLimit: { requestsPerWindow: 2, windowSeconds: 1 } });
    const client = await scannerClient(emulator);
    const responses = [];
    for (let index = 0; index < 3; index++) responses.push(await client.get('/api/v1/zones'));
    const remaining = responses.map(({ status, headers }) => [status, headers.get('x-rate-limit-remaining')]);
    assert.deepEqual(remaining, [
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    const [, , rejected] = responses;
    assert.ok(rejected);
    assert.deepEqual((await codeOf(rejected))[1], 'E0000047');
    const reset = Number(rejected.headers.get('x-rate-limit-reset'));
    await new Promise((resolve) => setTimeout(resolve, reset * 1000 - Date.now() + 20));
    assert.equal((await client.get('/api/v1/zones')).status, 200);
  });
});

describe('Okta API names', () => {
  it('uses Okta names for scopes, policies, apps, authenticators, and headers', async () => {
    const emulator = await organizations.start({ dialect: 'okta' });
    const client = await scannerClient(emulator, { scope: ALL_SCOPES.replaceAll('directory.', 'okta.') });
    assert.equal((await client.list('/api/v1/policies?type=OKTA_SIGN_ON')).items.length, 3);
    const filter = encodeURIComponent('name eq "okta_enduser"');
    assert.deepEqual(await idsOf(client, `/api/v1/apps?filter=${filter}`), ['0oaDashboard']);
    const authenticators = await client.get('/api/v1/authenticators');
    assert.match(await authenticators.text(), /"key":"okta_verify"/);
    assert.ok(authenticators.headers.has('x-okta-request-id'));
    assert.equal(emulator.environment().DIRECTORY_DIALECT, 'okta');
  });
});
