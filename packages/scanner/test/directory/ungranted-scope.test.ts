import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { connectTo, emulate } from './support/connect-to.ts';
import { problemOf, readValue } from './support/read-value.ts';
import { scannerError } from './support/scanner-error.ts';
import { issueToken, serve } from './support/serve.ts';

/** A directory that grants fewer scopes than requested (RFC 6749, section 5.1) and returns only empty lists. */
async function startGrantingLess(
  context: TestContext,
  scope: string,
): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const url = await serve(context, (request, response) => {
    if (request.url === '/oauth2/v1/token') return issueToken(response, scope);
    paths.push((request.url ?? '').replace(/\?.*/, ''));
    response.setHeader('content-type', 'application/json');
    response.end('[]');
  });
  return { url, paths };
}

test('does not start a scan if the token endpoint rejects the token request because of one ungranted scope', async (context) => {
  const grantedScopes = ['okta.policies.read', 'okta.apps.read'];
  const emulator = await emulate(context, { dialect: 'okta', grantedScopes });
  const env = { DIRECTORY_SCOPES: 'okta.policies.read okta.apps.read okta.logStreams.read' };
  const refused = connectTo(emulator, { dialect: 'okta', env });
  const { message } = await scannerError(refused, 'scope_not_granted');
  assert.match(message, /invalid_scope/);
  assert.match(message, /^Okta does not grant the scopes .*okta\.logStreams\.read/);
  assert.match(message, /DIRECTORY_SCOPES/);
  assert.equal(emulator.requests.length, 0);
});

test('scans with the granted scopes if the token endpoint grants fewer than requested, and reports each missing scope', async (context) => {
  const directory = await startGrantingLess(context, 'okta.apps.read okta.networkZones.read');
  const emulator = await emulate(context, { dialect: 'okta' });
  const env = { DIRECTORY_ORG_URL: directory.url };
  const connected = await connectTo(emulator, { dialect: 'okta', env });
  assert.deepEqual(
    directory.paths,
    ['/api/v1/apps'],
    'the probe did not use an endpoint that the granted scopes allow',
  );
  const { zones, logStreams, sessionPolicies } = await connected.read([
    'zones',
    'logStreams',
    'sessionPolicies',
  ]);
  assert.deepEqual(readValue(zones), []);
  assert.equal(problemOf(logStreams).scope, 'okta.logStreams.read');
  assert.equal(problemOf(sessionPolicies).scope, 'okta.policies.read');
  assert.deepEqual(directory.paths, ['/api/v1/apps', '/api/v1/zones']);
});
