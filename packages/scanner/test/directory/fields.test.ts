import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectTo, emulate } from './support/connect-to.ts';
import { readBodies } from './support/read-bodies.ts';
import { readValue } from './support/read-value.ts';

test('reads zone categories in every format', async (context) => {
  const zones = readValue(
    await readBodies(context, 'zones', {
      '/api/v1/zones': [
        { id: '1', name: '1', ipServiceCategories: { include: ['VPN', { value: 'TOR' }, null] } },
        { id: '2', name: '2', ipServiceCategories: ['ALL_ANONYMIZERS'] },
        { id: '3', name: '3', ipServiceCategories: { include: 'ALL_PROXIES' } },
        { id: '4', name: '4', ipServiceCategories: null, system: true },
        { id: '5', name: '5', gateways: [{ type: 'CIDR', value: '192.0.2.0/24' }], proxies: 'none' },
      ],
    }),
  );
  assert.deepEqual(
    zones.map(({ categories }) => categories),
    [['VPN', 'TOR'], ['ALL_ANONYMIZERS'], ['ALL_PROXIES'], [], []],
  );
  assert.deepEqual([zones[4]?.gateways, zones[4]?.proxies], [['192.0.2.0/24'], []]);
  assert.deepEqual([zones[3]?.system, zones[4]?.system, zones[4]?.usage], [true, false, null]);
});

test("reads a brand's customized, default or missing sign-in page", async (context) => {
  const emulator = await emulate(context);
  const { brands } = emulator.organization;
  brands.length = 0;
  brands.push(
    { id: 'bnd1', name: 'One', pages: { customized: '<p>custom', default: '<p>default' } },
    { id: 'bnd2', name: 'Two', pages: { default: '<p>default' } },
  );
  emulator.faults.push({ path: '/api/v1/brands/bnd3/pages/sign-in/customized', response: 500 });
  brands.push({ id: 'bnd3', name: 'Three', pages: { default: '<p>default' } });
  const directory = await connectTo(emulator);
  const [one, two, three] = readValue((await directory.read(['brands'])).brands);
  assert.deepEqual(readValue(one?.signInPage ?? assert.fail()), { kind: 'customized', content: '<p>custom' });
  assert.deepEqual(readValue(two?.signInPage ?? assert.fail()), { kind: 'default', content: '<p>default' });
  assert.equal(three?.signInPage.kind, 'unread', 'the default page replaced a page that could not be read');
});

test('reads the default sign-in page if the customized page has no content', async (context) => {
  const path = '/api/v1/brands/bnd1/pages/sign-in';
  const [brand] = readValue(
    await readBodies(context, 'brands', {
      '/api/v1/brands?': [{ id: 'bnd1', name: 'One' }],
      [`${path}/customized`]: { pageContent: null, widgetCustomizations: { signInLabel: 'Hello' } },
      [`${path}/default`]: { pageContent: '<p>default' },
    }),
  );
  assert.deepEqual(readValue(brand?.signInPage ?? assert.fail()), { kind: 'default', content: '<p>default' });
});

test("reads a zone's excluded categories and proxy type", async (context) => {
  const [enhanced, dynamic] = readValue(
    await readBodies(context, 'zones', {
      '/api/v1/zones?': [
        { id: '1', ipServiceCategories: { include: ['ALL_ANONYMIZERS'], exclude: ['NORD_VPN', null] } },
        { id: '2', proxyType: 'TorAnonymizer', ipServiceCategories: null },
      ],
    }),
  );
  assert.deepEqual([enhanced?.categories, enhanced?.excludedCategories], [['ALL_ANONYMIZERS'], ['NORD_VPN']]);
  assert.deepEqual(
    [dynamic?.proxyType, dynamic?.categories, dynamic?.excludedCategories],
    ['TorAnonymizer', [], []],
  );
});

test('reads the evaluated fields of identity providers, authenticators, streams and tokens', async (context) => {
  const idps = readValue(
    await readBodies(context, 'identityProviders', {
      '/api/v1/idps': [
        {
          id: '0oa1',
          name: 'Smart card',
          type: 'X509',
          status: 'ACTIVE',
          protocol: { credentials: { trust: { issuer: 'OU=DoD', kid: 'k1' } } },
        },
        { id: '0oa2', type: 'LDAP' },
      ],
    }),
  );
  assert.deepEqual(idps[0], {
    id: '0oa1',
    name: 'Smart card',
    type: 'X509',
    status: 'ACTIVE',
    issuer: 'OU=DoD',
    kid: 'k1',
  });
  assert.deepEqual([idps[1]?.name, idps[1]?.issuer, idps[1]?.kid], ['0oa2', null, null]);
  const authenticators = readValue(
    await readBodies(context, 'authenticators', {
      '/api/v1/authenticators': [
        { id: 'aut1', key: 'directory_verify', settings: { compliance: { fips: 'REQUIRED' } } },
        { id: 'aut1', key: 'directory_verify', status: 'ACTIVE' },
      ],
    }),
  );
  assert.equal(authenticators.length, 1, 'duplicates were not removed');
  assert.deepEqual([authenticators[0]?.status, authenticators[0]?.fips], ['ACTIVE', null]);
});
