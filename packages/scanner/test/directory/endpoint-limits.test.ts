import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectTo, emulate } from './support/connect-to.ts';
import { readValue } from './support/read-value.ts';
import { issueToken, serve } from './support/serve.ts';

const LIMIT = 2;
const WINDOW_SECONDS = 2;
const PAGES = 4;
const SCOPES = 'okta.policies.read okta.networkZones.read okta.logStreams.read okta.idps.read';

test("reads a long list within the endpoint's rate limit while reading other endpoints", async (context) => {
  const sent: string[] = [];
  const windows = new Map<string, { used: number; reset: number }>();
  const url = await serve(context, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://directory.example');
    if (pathname === '/oauth2/v1/token') return issueToken(response, SCOPES);
    response.setHeader('content-type', 'application/json');
    const now = Math.floor(Date.now() / 1000);
    const known = windows.get(pathname);
    const window =
      known === undefined || now >= known.reset ? { used: 0, reset: now + WINDOW_SECONDS } : known;
    windows.set(pathname, window);
    window.used += 1;
    response.statusCode = window.used > LIMIT ? 429 : 200;
    response.setHeader('x-rate-limit-remaining', Math.max(0, LIMIT - window.used));
    response.setHeader('x-rate-limit-reset', window.reset);
    sent.push(`${pathname} ${response.statusCode}`);
    const page = Number(searchParams.get('after') ?? '1');
    const isLong = pathname === '/api/v1/zones';
    if (isLong && page < PAGES)
      response.setHeader('link', `<http://directory.example/api/v1/zones?after=${page + 1}>; rel="next"`);
    response.end(JSON.stringify(isLong ? [{ id: `nzo${page}`, name: `Zone ${page}` }] : []));
  });
  const emulator = await emulate(context, { dialect: 'okta' });
  const env = { DIRECTORY_ORG_URL: url };
  const warnings: string[] = [];
  const directory = await connectTo(emulator, { dialect: 'okta', env, warnings });
  const { zones } = await directory.read(['zones', 'logStreams', 'identityProviders']);
  assert.equal(readValue(zones).length, PAGES);
  assert.deepEqual(
    sent.filter((line) => line.endsWith('429')),
    [],
    'requests were rejected',
  );
  assert.equal(sent.at(-1), '/api/v1/zones 200');
  assert.deepEqual(sent.slice(0, 5).filter((line) => !line.includes('zones')).length, 3);
  assert.match(warnings[0] ?? '', /^\/api\/v1\/zones: the rate limit is exhausted, continuing in/);
  assert.equal(directory.requests.retries, 0);
});
