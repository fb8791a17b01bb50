import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { DIALECTS } from '../../src/directory/dialect.ts';
import { readDirectorySettings, type SettingsFlags } from '../../src/directory/settings.ts';
import { scannerError } from './support/scanner-error.ts';

const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const ENV = {
  DIRECTORY_ORG_DOMAIN: 'example.directory.com',
  DIRECTORY_CLIENT_ID: '0oa1',
  DIRECTORY_PRIVATE_KEY: PEM,
};

function read(env: NodeJS.ProcessEnv, flags: SettingsFlags = {}) {
  return readDirectorySettings({ env, flags, dialect: DIALECTS.directory });
}

test('reads all settings from the environment, with defaults for missing settings', async () => {
  const settings = await read(ENV);
  assert.equal(settings.orgDomain, 'example.directory.com');
  assert.equal(settings.origin, 'https://example.directory.com');
  assert.equal(settings.clientId, '0oa1');
  assert.equal(settings.scopes.length, 10);
  assert.equal(settings.scopes[0], 'directory.policies.read');
  assert.deepEqual([settings.requestsPerSecond, settings.maxRetries, settings.timeoutSeconds], [4, 5, 300]);
});

test('reports all missing and empty settings at once', async () => {
  const { message, exitCode } = await scannerError(read({ DIRECTORY_CLIENT_ID: '  ' }), 'missing_settings');
  for (const name of ['DIRECTORY_ORG_DOMAIN', 'DIRECTORY_CLIENT_ID', 'DIRECTORY_PRIVATE_KEY'])
    assert.match(message, new RegExp(name));
  assert.equal(exitCode, 1);
});

test('reports only the missing settings', async () => {
  const { message } = await scannerError(read({ ...ENV, DIRECTORY_CLIENT_ID: '' }), 'missing_settings');
  assert.match(message, /DIRECTORY_CLIENT_ID/);
  assert.doesNotMatch(message, /ORG_DOMAIN|PRIVATE_KEY/);
});

test('prefers flags over the environment, and accepts 0 as a value', async () => {
  const settings = await read(
    { ...ENV, DIRECTORY_ORG_URL: 'https://login.example.com', DIRECTORY_SCOPES: 'directory.apps.read' },
    {
      orgDomain: 'other.directory.com',
      clientId: '0oa2',
      scopes: ['directory.brands.read,directory.idps.read', 'directory.zones.read'],
      requestsPerSecond: 0,
      maxRetries: 0,
      timeoutSeconds: 0,
    },
  );
  assert.equal(settings.origin, 'https://other.directory.com');
  assert.equal(settings.clientId, '0oa2');
  assert.deepEqual(settings.scopes, ['directory.brands.read', 'directory.idps.read', 'directory.zones.read']);
  assert.deepEqual([settings.requestsPerSecond, settings.maxRetries, settings.timeoutSeconds], [0, 0, 0]);
});

test('splits scopes in the environment variable at commas and white space', async () => {
  const { scopes } = await read({ ...ENV, DIRECTORY_SCOPES: ' a.read, b.read\tc.read\n a.read ' });
  assert.deepEqual(scopes, ['a.read', 'b.read', 'c.read']);
  assert.equal((await read({ ...ENV, DIRECTORY_SCOPES: ' , ' })).scopes.length, 10);
});

test('rejects a negative or malformed number as a usage error', async () => {
  for (const flags of [{ requestsPerSecond: -1 }, { maxRetries: 1.5 }, { timeoutSeconds: Number.NaN }])
    assert.equal((await scannerError(read(ENV, flags), 'invalid_setting')).exitCode, 2);
});

for (const domain of [
  '  Example.Directory.COM\n',
  'a-1.directory-gov.com',
  'x.trex-govcloud.com',
  'x.directory.mil',
])
  test(`accepts the domain ${JSON.stringify(domain)}`, async () => {
    const settings = await read({ ...ENV, DIRECTORY_ORG_DOMAIN: domain });
    assert.equal(settings.orgDomain, domain.trim().toLowerCase());
  });

for (const domain of [
  'https://example.directory.com',
  'example.directory.com/',
  'example.directory.com:443',
  'a.b.directory.com',
  'directory.com',
  '-a.directory.com',
  'login.example.com',
  'example.okta.com',
  'example.directory.com.evil.com',
])
  test(`rejects the domain ${domain}`, async () => {
    const { message } = await scannerError(
      read({ ...ENV, DIRECTORY_ORG_DOMAIN: domain }),
      'invalid_org_domain',
    );
    assert.ok(message.includes(domain));
  });

test("rejects the admin console's host name and suggests the organization's host name", async () => {
  const { message } = await scannerError(
    read({ ...ENV, DIRECTORY_ORG_DOMAIN: 'example-admin.directory.com' }),
    'invalid_org_domain',
  );
  assert.match(message, /use example\.directory\.com instead/);
  await scannerError(
    read({ ...ENV, DIRECTORY_ORG_DOMAIN: '', DIRECTORY_ORG_URL: 'https://example-admin.directory.com' }),
    'invalid_org_domain',
  );
});

test('accepts an HTTPS origin, or an HTTP origin on this machine, instead of the domain', async () => {
  const origin = async (url: string) =>
    (await read({ ...ENV, DIRECTORY_ORG_DOMAIN: '', DIRECTORY_ORG_URL: url })).origin;
  assert.equal(await origin('https://login.example.com/'), 'https://login.example.com');
  assert.equal(await origin('http://127.0.0.1:8080'), 'http://127.0.0.1:8080');
  assert.equal(await origin('http://[::1]:8080'), 'http://[::1]:8080');
  for (const url of [
    'http://login.example.com',
    'http://127.0.0.1.example.com',
    'ftp://localhost',
    'https://login.example.com/path',
    'https://user:secret@login.example.com',
    'login.example.com',
  ]) {
    const { message } = await scannerError(origin(url), 'invalid_org_domain');
    assert.doesNotMatch(message, /secret/);
  }
});

test('uses the domain in findings if both a domain and an origin are set', async () => {
  const settings = await read({ ...ENV, DIRECTORY_ORG_URL: 'http://localhost:1234' });
  assert.deepEqual([settings.orgDomain, settings.origin], ['example.directory.com', 'http://localhost:1234']);
});

test('uses Okta domains and scopes for an Okta organization', async () => {
  const settings = await readDirectorySettings({
    env: { ...ENV, DIRECTORY_ORG_DOMAIN: 'example.okta.com' },
    flags: {},
    dialect: DIALECTS.okta,
  });
  assert.equal(settings.origin, 'https://example.okta.com');
  assert.equal(settings.scopes[0], 'okta.policies.read');
});

const OKTA_ENV = {
  OKTA_ORG_DOMAIN: 'acme.okta.com',
  OKTA_CLIENT_ID: '0oaOkta',
  OKTA_PRIVATE_KEY: PEM,
  OKTA_SCOPES: 'okta.apps.read, okta.idps.read',
};

function readOkta(env: NodeJS.ProcessEnv) {
  return readDirectorySettings({ env, flags: {}, dialect: DIALECTS.okta });
}

test('reads the OKTA_ variables when the DIRECTORY_ variables are not set', async () => {
  const settings = await readOkta({ ...OKTA_ENV, DIRECTORY_CLIENT_ID: ' ' });
  assert.deepEqual([settings.orgDomain, settings.clientId], ['acme.okta.com', '0oaOkta']);
  assert.deepEqual(settings.scopes, ['okta.apps.read', 'okta.idps.read']);
  const { origin } = await readOkta({ ...OKTA_ENV, OKTA_ORG_URL: 'https://login.example.com' });
  assert.equal(origin, 'https://login.example.com');
  const { OKTA_PRIVATE_KEY: _, ...withoutKey } = OKTA_ENV;
  const file = readOkta({ ...withoutKey, OKTA_PRIVATE_KEY_FILE: '/nowhere/key.pem' });
  assert.match((await scannerError(file, 'unreadable_key_file')).message, /\/nowhere\/key\.pem/);
});

test('prefers each DIRECTORY_ variable over its OKTA_ variable', async () => {
  const settings = await readOkta({
    ...OKTA_ENV,
    OKTA_PRIVATE_KEY: 'not a key',
    DIRECTORY_ORG_DOMAIN: 'other.okta.com',
    DIRECTORY_CLIENT_ID: '0oa1',
    DIRECTORY_PRIVATE_KEY: PEM,
    DIRECTORY_SCOPES: 'okta.brands.read',
  });
  assert.deepEqual([settings.orgDomain, settings.clientId], ['other.okta.com', '0oa1']);
  assert.deepEqual(settings.scopes, ['okta.brands.read']);
});

test('never combines addresses or keys from DIRECTORY_ variables with those from OKTA_ variables', async () => {
  const address = await readOkta({
    ...OKTA_ENV,
    OKTA_ORG_URL: 'https://acme.okta.com',
    DIRECTORY_ORG_DOMAIN: 'other.okta.com',
  });
  assert.deepEqual([address.orgDomain, address.origin], ['other.okta.com', 'https://other.okta.com']);
  const file = readOkta({ ...OKTA_ENV, DIRECTORY_PRIVATE_KEY_FILE: '/nowhere/key.pem' });
  await scannerError(file, 'unreadable_key_file');
});

for (const scope of ['okta.users.manage', 'okta.apps.MANAGE', 'directory.policies.manage', 'openid'])
  test(`rejects the scope ${scope}, which is not read-only`, async () => {
    const { message, exitCode } = await scannerError(
      read({ ...ENV, DIRECTORY_SCOPES: `directory.apps.read ${scope}` }),
      'invalid_setting',
    );
    assert.equal(exitCode, 2);
    assert.ok(message.includes(`'${scope}'`));
    await scannerError(read(ENV, { scopes: [scope] }), 'invalid_setting');
    await scannerError(readOkta({ ...OKTA_ENV, OKTA_SCOPES: scope }), 'invalid_setting');
  });
