import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Emulator, ORGANIZATION_NAMES } from '../src/index.ts';
import { emulators } from './support/emulators.ts';
import { readRecordings, SKIP_WITHOUT_OKTA_REFERENCE } from './support/okta-reference.ts';
import { createOktaValidator, type OktaValidator } from './support/okta-validator.ts';
import { ALL_OKTA_SCOPES, type ScannerClient, scannerClient } from './support/scanner-client.ts';

/**
 * Violations in Okta's responses to its Terraform provider, which the recordings do not include. Connectors have no
 * sign-on mode, dynamic zones have additional proxy types, and a customized sign-in page may have no content.
 */
const KNOWN_VIOLATIONS = new Set([
  "/api/v1/apps : must have required property 'signOnMode'",
  '/api/v1/zones /proxyType: must be equal to one of the allowed values, not "TorAnonymizer"',
  '/api/v1/zones /proxyType: must be equal to one of the allowed values, not ""',
  '/api/v1/brands/{brandId}/pages/sign-in/customized /pageContent: must be string, not null',
]);

const organizations = emulators();
after(() => organizations.stopAll());

/** Returns all paths that a scan can read. Okta's API description does not include automations. */
function pathsOf({ organization }: Emulator): string[] {
  const { policies, brands, apps, users, groups } = organization;
  return [
    ...['OKTA_SIGN_ON', 'PASSWORD', 'ACCESS_POLICY'].map((type) => `/api/v1/policies?type=${type}`),
    ...policies
      .filter(({ type }) => type !== 'USER_LIFECYCLE')
      .flatMap(({ id }) => [`/api/v1/policies/${id}`, `/api/v1/policies/${id}/rules`]),
    '/api/v1/brands',
    ...brands.flatMap(({ id, pages }) => [
      `/api/v1/brands/${id}`,
      `/api/v1/brands/${id}/pages/sign-in/default`,
      ...(pages.customized === undefined ? [] : [`/api/v1/brands/${id}/pages/sign-in/customized`]),
    ]),
    '/api/v1/apps',
    ...apps.map(({ id }) => `/api/v1/apps/${id}`),
    '/api/v1/first-party-app-settings/admin-console',
    '/api/v1/authenticators',
    '/api/v1/api-tokens',
    '/api/v1/zones',
    '/api/v1/logStreams',
    '/api/v1/idps',
    '/api/v1/groups',
    ...users.flatMap(({ id }) => [`/api/v1/users/${id}/roles`, `/api/v1/users/${id}/groups`]),
    ...groups.map(({ id }) => `/api/v1/groups/${id}/roles`),
  ];
}

/** Reads all pages of a list, or a single object. */
async function readAll(client: ScannerClient, path: string): Promise<unknown> {
  const response = await client.get(path);
  if (!response.headers.has('link')) {
    assert.equal(response.status, 200, path);
    return response.json();
  }
  return (await client.list(path)).items;
}

describe("Okta's API description", { skip: SKIP_WITHOUT_OKTA_REFERENCE }, () => {
  let validator: OktaValidator | undefined;
  const violations = (path: string, body: unknown) => {
    validator ??= createOktaValidator();
    return validator.violations(path, body).filter((violation) => !KNOWN_VIOLATIONS.has(violation));
  };

  for (const organization of ORGANIZATION_NAMES)
    it(`finds no violations of Okta's API description in emulated responses for the ${organization} organization`, async () => {
      const emulator = await organizations.start({
        organization,
        dialect: 'okta',
        grantedScopes: ALL_OKTA_SCOPES.split(' '),
        pageSize: 200,
      });
      const client = await scannerClient(emulator, { scope: ALL_OKTA_SCOPES });
      const found: string[] = [];
      for (const path of pathsOf(emulator)) {
        const body = await readAll(client, path);
        found.push(...violations(path, body).map((violation) => `${path}: ${violation}`));
      }
      assert.deepEqual(found, []);
    });

  it('reports violations in a response, except violations that also occur in recorded responses', () => {
    assert.deepEqual(violations('/api/v1/logStreams', [{ type: 'aws_eventbridge', name: 'Stream' }]), [
      "/api/v1/logStreams : must have required property 'created'",
      "/api/v1/logStreams : must have required property 'id'",
      "/api/v1/logStreams : must have required property 'lastUpdated'",
      "/api/v1/logStreams : must have required property 'status'",
      "/api/v1/logStreams : must have required property '_links'",
      "/api/v1/logStreams : must have required property 'settings'",
    ]);
    const [idle] = violations('/api/v1/first-party-app-settings/admin-console', {
      sessionIdleTimeoutMinutes: 0,
    });
    assert.match(idle ?? '', /sessionIdleTimeoutMinutes: must be >= 5/);
    for (const { endpoint, responses } of readRecordings())
      for (const { body } of responses) assert.deepEqual(violations(endpoint.slice(4), body), []);
  });
});
