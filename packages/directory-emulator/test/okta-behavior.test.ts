import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { EmulatorOptions } from '../src/index.ts';
import { emulators } from './support/emulators.ts';
import { ALL_OKTA_SCOPES, ALL_SCOPES, type ScannerClient, scannerClient } from './support/scanner-client.ts';

const organizations = emulators();
after(() => organizations.stopAll());

const TEN_SCOPES = ALL_SCOPES.replaceAll('directory.', 'okta.');

const startOkta = async (options: Partial<EmulatorOptions> = {}) => {
  const emulator = await organizations.start({ dialect: 'okta', ...options });
  const scope = options.grantedScopes?.join(' ') ?? TEN_SCOPES;
  return { emulator, client: await scannerClient(emulator, { scope }) };
};
const jsonOf = async (client: ScannerClient, path: string) =>
  JSON.parse(await (await client.get(path)).text());
const errorOf = async (client: ScannerClient, path: string): Promise<[number, string]> => {
  const response = await client.get(path);
  const { errorCode }: { errorCode: string } = JSON.parse(await response.text());
  return [response.status, errorCode];
};

describe('emulated Okta authorization', () => {
  it('when emulating Okta, requires a DPoP nonce for token requests but not for the management API', async () => {
    const { emulator, client } = await startOkta();
    const response = await client.get('/api/v1/zones');
    assert.deepEqual([response.status, response.headers.has('dpop-nonce')], [200, false]);
    assert.deepEqual(
      emulator.tokenRequests.map(({ status, error }) => [status, error]),
      [
        [400, 'use_dpop_nonce'],
        [200, null],
      ],
    );
    assert.deepEqual(
      emulator.requests.map(({ status }) => status),
      [200],
    );
  });

  it("requires okta.users.read, which is not a default scope, to list a user's groups", async () => {
    const path = '/api/v1/users/00uHelpDesk/groups';
    const { client: withTen } = await startOkta();
    assert.deepEqual(await errorOf(withTen, path), [403, 'E0000006']);
    const { client } = await startOkta({ grantedScopes: ALL_OKTA_SCOPES.split(' ') });
    assert.equal((await client.get(path)).status, 200);
    const directory = await scannerClient(await organizations.start());
    assert.equal((await directory.get(path)).status, 200);
  });
});

describe('emulated Okta rate limits', () => {
  it('limits requests per endpoint and omits Retry-After when emulating Okta', async () => {
    const { client } = await startOkta({
      rateLimit: { requestsPerWindow: 2, windowSeconds: 60 },
      endpointRateLimits: { '/api/v1/apps': { requestsPerWindow: 1, windowSeconds: 60 } },
    });
    const statuses = [];
    for (const path of ['apps', 'apps/0oaWiki', 'apps/0oaWiki', 'apps/0oaWiki', 'zones', 'zones'])
      statuses.push((await client.get(`/api/v1/${path}`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 429, 200, 200]);
    const { status, headers } = await client.get('/api/v1/apps');
    assert.deepEqual(
      [status, headers.get('x-rate-limit-limit'), headers.get('x-rate-limit-remaining')],
      [429, '1', '0'],
    );
    assert.equal(headers.has('retry-after'), false);
    assert.ok(Number(headers.get('x-rate-limit-reset')) > Date.now() / 1000);
  });

  it('rejects rate limits for unknown endpoints, and accepts endpoint limits and disabled features only when emulating Okta', async () => {
    const limit = { requestsPerWindow: 1, windowSeconds: 60 };
    for (const options of [
      { dialect: 'okta', endpointRateLimits: { '/api/v1/robots': limit } },
      { endpointRateLimits: { '/api/v1/apps': limit } },
      { missingFeatures: ['logStreams'] },
    ] as const)
      await assert.rejects(organizations.start(options), TypeError);
  });
});

describe('emulated Okta lists', () => {
  it('returns API tokens, authenticators, roles, and policy rules on a single page and ignores limit and after', async () => {
    const { client } = await startOkta({ pageSize: 1 });
    for (const [path, count] of [
      ['api-tokens', 3],
      ['authenticators', 3],
      ['users/00uReports/roles', 2],
      ['groups/00gHelpDesk/roles', 1],
      ['policies/rstTwoFactors/rules', 4],
    ] as const) {
      const response = await client.get(`/api/v1/${path}?limit=1&after=none`);
      assert.deepEqual(
        [response.status, JSON.parse(await response.text()).length, response.headers.has('link')],
        [200, count, false],
        path,
      );
    }
  });

  it('returns all other lists in pages and rejects an invalid cursor with E0000029 when emulating Okta', async () => {
    const { client } = await startOkta({ pageSize: 1 });
    for (const path of ['apps', 'zones', 'idps', 'logStreams', 'brands', 'groups']) {
      assert.match(
        (await client.get(`/api/v1/${path}`)).headers.get('link') ?? '',
        /rel="self", .*rel="next"/,
      );
      assert.deepEqual(await errorOf(client, `/api/v1/${path}?after=3,none`), [400, 'E0000029'], path);
    }
  });

  it('lists groups only when emulating Okta', async () => {
    const { client } = await startOkta();
    const groups: { profile: { name: string } }[] = await jsonOf(client, '/api/v1/groups');
    assert.deepEqual(
      groups.map(({ profile }) => profile.name),
      ['Everyone', 'Help desk'],
    );
    const directory = await scannerClient(await organizations.start());
    assert.deepEqual(await errorOf(directory, '/api/v1/groups'), [404, 'E0000007']);
  });
});

describe('emulated Okta objects', () => {
  it('distinguishes direct roles from inherited roles by assignmentType', async () => {
    const rolesOf = async (client: ScannerClient) => {
      const roles: { type: string; assignmentType?: string }[] = await jsonOf(
        client,
        '/api/v1/users/00uReports/roles',
      );
      return roles.map(({ type, assignmentType }) => [type, assignmentType]);
    };
    assert.deepEqual(await rolesOf((await startOkta()).client), [
      ['REPORT_ADMIN', 'USER'],
      ['HELP_DESK_ADMIN', 'GROUP'],
    ]);
    const directory = await scannerClient(await organizations.start());
    assert.deepEqual(await rolesOf(directory), [['REPORT_ADMIN', undefined]]);
  });

  it('numbers access rules from priority 0 and session rules from priority 1, with the catch-all rule at 99', async () => {
    const { client } = await startOkta({ organization: 'mixed' });
    const prioritiesOf = async (policy: string) => {
      const rules: { priority: number }[] = await jsonOf(client, `/api/v1/policies/${policy}/rules`);
      return rules.map(({ priority }) => priority);
    };
    assert.deepEqual(await prioritiesOf('rstTwoFactors'), [0, 1, 99]);
    assert.deepEqual(await prioritiesOf('rstDashboard'), [0, 1, 99]);
    assert.deepEqual(await prioritiesOf('rstCatchAll'), [99]);
    assert.deepEqual(await prioritiesOf('00pSessionKiosks'), [1, 2]);
    assert.deepEqual(await prioritiesOf('00pSessionPartners'), [1, 2, 3]);
  });

  it('returns Active Directory as an app and a password policy but not as an identity provider', async () => {
    const { client } = await startOkta({ organization: 'mixed' });
    const app = await jsonOf(client, '/api/v1/apps/0oaActiveDirectory');
    assert.deepEqual([app.name, app.signOnMode, app.status], ['active_directory', undefined, 'ACTIVE']);
    const policy = await jsonOf(client, '/api/v1/policies/00pPasswordActiveDirectory');
    assert.deepEqual(
      [policy.conditions.authProvider.provider, policy.settings.password.lockout.maxAttempts],
      ['ACTIVE_DIRECTORY', 0],
    );
    const staff = await jsonOf(client, '/api/v1/policies/00pPasswordStaff');
    assert.equal(staff.conditions.authProvider.provider, 'OKTA');
    const providers: { type: string }[] = await jsonOf(client, '/api/v1/idps');
    assert.ok(!providers.some(({ type }) => type === 'LDAP'));
  });

  it("returns authentication method chains with Okta's authenticator keys", async () => {
    const { client } = await startOkta();
    const [rule] = await jsonOf(client, '/api/v1/policies/rstDashboard/rules');
    const { type, factorMode, chains } = rule.actions.appSignOn.verificationMethod;
    assert.deepEqual([type, factorMode], ['AUTH_METHOD_CHAIN', undefined]);
    assert.equal(chains[0].authenticationMethods[0].key, 'okta_password');
    assert.equal(chains[0].next[0].authenticationMethods[0].key, 'webauthn');
  });

  it('rejects reads of a disabled feature with 401 and E0000015', async () => {
    const { client } = await startOkta({ missingFeatures: ['logStreams', 'brands'] });
    for (const path of ['logStreams', 'brands', 'brands/bndPublic/pages/sign-in/default'])
      assert.deepEqual(await errorOf(client, `/api/v1/${path}`), [401, 'E0000015'], path);
    assert.equal((await client.get('/api/v1/zones')).status, 200);
  });
});
