import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { SCOPE_RESOURCES } from '../../../../directory-emulator/src/options.ts';
import {
  readOktaExample,
  readRecording,
} from '../../../../directory-emulator/test/support/okta-reference.ts';
import { serve } from './serve.ts';

/** A server with recorded responses. */
export interface RecordedOrganization {
  readonly url: string;
  /** The requested paths, with query strings, that have no recorded response. */
  readonly notRecorded: readonly string[];
}

/**
 * Serves responses recorded from Okta's API. Stops at the end of the test. Individually recorded objects (a read by ID, or
 * the response to a write) are added to their list. Access policy rules and Admin Console settings were not recorded and
 * are examples from Okta's API description. All other requests return Okta's 404.
 */
export async function serveRecordings(test: TestContext): Promise<RecordedOrganization> {
  const bodies = recordedBodies();
  const notFound = readRefusal('GET /api/v1/policies/', 404);
  const [, askForNonce, token] = readRecording('token').responses;
  const notRecorded: string[] = [];
  const url = await serve(test, (request, response) => {
    const path = request.url ?? '';
    if (path === '/oauth2/v1/token') {
      // The second request contains the nonce from the first response.
      const recorded = hasNonce(request) ? token : askForNonce;
      if (recorded === undefined) throw new TypeError('The token endpoint was not recorded.');
      const body = hasNonce(request) ? { ...objectOf(recorded.body), ...TOKEN } : recorded.body;
      respond(response, recorded.status, body, { 'DPoP-Nonce': 'recorded-nonce' });
      return;
    }
    const body = bodyOf(path, bodies);
    if (body === undefined) notRecorded.push(path);
    respond(response, body === undefined ? 404 : 200, body ?? notFound);
  });
  return { url, notRecorded };
}

/** The recording does not contain the access token, and its scopes belong to another client. */
const TOKEN = {
  access_token: 'recorded-access-token',
  scope: SCOPE_RESOURCES.map((resource) => `okta.${resource}.read`).join(' '),
};

function readRefusal(request: string, status: number): unknown {
  return readRecording('errors').responses.find(
    (recorded) => recorded.request.startsWith(request) && recorded.status === status,
  )?.body;
}

/** Response bodies by path, or by path and policy type. */
function recordedBodies(): ReadonlyMap<string, unknown> {
  const policies = readRecording('policies').responses.map(({ request, body }): [string, unknown] => [
    request.replace('GET ', ''),
    body,
  ]);
  return new Map<string, unknown>([
    ...policies,
    [
      '/api/v1/policies/00p*/rules',
      listOf('policy-rules').filter((rule) => objectOf(rule).type === 'SIGN_ON'),
    ],
    ['/api/v1/policies/rst*/rules', readOktaExample('list-all-access-policy-rule-response')],
    ['/api/v1/first-party-app-settings/admin-console', readOktaExample('AdminConsoleSettingsExample')],
    ['/api/v1/apps', listOf('apps')],
    ['/api/v1/brands', listOf('brands')],
    ['/api/v1/brands/*/pages/sign-in/customized', single('sign-in-page-customized')],
    ['/api/v1/brands/*/pages/sign-in/default', single('sign-in-page-default')],
    ['/api/v1/authenticators', listOf('authenticators')],
    ['/api/v1/api-tokens', listOf('api-tokens')],
    ['/api/v1/users/*/roles', single('user-roles')],
    ['/api/v1/users/*/groups', single('user-groups')],
    ['/api/v1/groups/*/roles', single('group-roles')],
    ['/api/v1/zones', listOf('zones')],
    ['/api/v1/logStreams', listOf('log-streams')],
    ['/api/v1/idps', listOf('identity-providers')],
  ]);
}

function bodyOf(path: string, bodies: ReadonlyMap<string, unknown>): unknown {
  const { pathname, searchParams } = new URL(path, 'http://recorded');
  if (pathname === '/api/v1/policies') return bodies.get(`${pathname}?type=${searchParams.get('type')}`);
  // Access policy IDs start with `rst`. Other policy IDs start with `00p`.
  const pattern = pathname
    .replace(/\/(users|groups|brands)\/[^/]+/, '/$1/*')
    .replace(/\/policies\/(rst|00p)[^/]+/, '/policies/$1*');
  const list = bodies.get(pattern);
  const [, name] = /^name eq "(.*)"$/.exec(searchParams.get('filter') ?? '') ?? [];
  return name === undefined || !Array.isArray(list)
    ? list
    : list.filter((app) => objectOf(app).name === name);
}

/** All recorded objects without duplicate IDs. */
function listOf(name: string): readonly unknown[] {
  const { responses, elements } = readRecording(name);
  const all = [...responses, ...elements].flatMap(({ body }) => body);
  return [...new Map(all.map((item) => [objectOf(item).id, item])).values()];
}

function single(name: string): unknown {
  return readRecording(name).responses[0]?.body;
}

function hasNonce({ headers }: IncomingMessage): boolean {
  const [, payload = ''] = String(headers.dpop).split('.');
  return Buffer.from(payload, 'base64url').toString().includes('"nonce":"recorded-nonce"');
}

function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function objectOf(value: unknown): { readonly [field: string]: unknown } {
  if (typeof value !== 'object' || value === null) throw new TypeError('A recorded value is not an object.');
  return { ...value };
}
