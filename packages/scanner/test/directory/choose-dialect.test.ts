import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIALECTS } from '../../src/directory/dialect.ts';
import { chooseDialect } from '../../src/directory/environment.ts';
import { connectTo, emulate } from './support/connect-to.ts';

function chosen(env: NodeJS.ProcessEnv, flags: { readonly flag?: string; readonly orgDomain?: string } = {}) {
  return chooseDialect({ flag: flags.flag, orgDomain: flags.orgDomain, env }).name;
}

for (const suffix of [
  'okta.com',
  'okta-emea.com',
  'oktapreview.com',
  'okta.mil',
  'okta-gov.com',
  'okta-miltest.com',
  'trex-govcloud.com',
])
  test(`recognizes a subdomain of ${suffix} as an Okta organization`, () => {
    assert.equal(chosen({ DIRECTORY_ORG_DOMAIN: `acme.${suffix}` }), 'okta');
    assert.equal(chosen({ OKTA_ORG_DOMAIN: `ACME.${suffix.toUpperCase()}` }), 'okta');
    assert.equal(chosen({ DIRECTORY_ORG_URL: `https://acme.${suffix}` }), 'okta');
    assert.equal(chosen({}, { orgDomain: `acme.${suffix}` }), 'okta');
  });

test('does not recognize non-Okta domains or addresses as an Okta organization', () => {
  for (const env of [
    {},
    { DIRECTORY_ORG_DOMAIN: 'acme.directory.com' },
    { DIRECTORY_ORG_DOMAIN: 'acme.notokta.com' },
    { DIRECTORY_ORG_DOMAIN: 'acme.okta.com.example.com' },
    { DIRECTORY_ORG_URL: 'https://login.example.com' },
    { DIRECTORY_ORG_URL: 'http://127.0.0.1:8080' },
    { OKTA_ORG_URL: 'https://login.example.com' },
    { DIRECTORY_ORG_URL: 'not an address' },
  ])
    assert.equal(chosen(env), 'directory', JSON.stringify(env));
});

test('prefers --dialect over DIRECTORY_DIALECT, and both over the domain', () => {
  const domain = { DIRECTORY_ORG_DOMAIN: 'acme.okta.com' };
  assert.equal(chosen({ ...domain, DIRECTORY_DIALECT: 'directory' }), 'directory');
  assert.equal(chosen({ ...domain, DIRECTORY_DIALECT: 'okta' }, { flag: 'directory' }), 'directory');
  assert.equal(chosen({ DIRECTORY_DIALECT: 'Okta' }), 'okta');
  assert.throws(() => chosen({ DIRECTORY_DIALECT: 'oktta' }), { code: 'unknown_dialect', exitCode: 2 });
});

test('recognizes Okta by the scanned domain, not by a variable that a flag overrides', () => {
  const flags = { orgDomain: 'acme.directory.com' };
  assert.equal(chosen({ OKTA_ORG_DOMAIN: 'acme.okta.com' }, flags), 'directory');
  const both = { DIRECTORY_ORG_DOMAIN: 'acme.okta.com', DIRECTORY_ORG_URL: 'http://127.0.0.1:8080' };
  assert.equal(chosen(both), 'okta');
  assert.equal(DIALECTS.okta.name, 'okta');
});

test("suggests --dialect okta once if the responses from a custom domain resemble Okta's", async (context) => {
  const emulator = await emulate(context);
  const headers = { 'X-Okta-Request-Id': 'req-1' };
  emulator.faults.push(
    { path: /policies/, response: 200, body: [], headers },
    { path: /zones/, response: 200, body: [], headers },
  );
  const warnings: string[] = [];
  const directory = await connectTo(emulator, { warnings });
  await directory.read(['zones']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /look like those of Okta.*--dialect okta$/);
});

test('does not suggest another --dialect if the responses match the selected dialect', async (context) => {
  for (const dialect of ['directory', 'okta'] as const) {
    const warnings: string[] = [];
    await connectTo(await emulate(context, { dialect }), { dialect, warnings });
    assert.deepEqual(warnings, []);
  }
});
