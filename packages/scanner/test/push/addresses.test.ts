import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureOf, pushOne } from './support/run-push.ts';
import { startService } from './support/service.ts';

const CHECK_VARIABLE = /; check SCANNER_CLOUD_API_BASE_URL$/;

/** Returns base URLs with the given port and the expected path of API requests for each. */
const ACCEPTED: readonly [description: string, url: (port: number) => string, path: string][] = [
  ['no scheme', (port) => `127.0.0.1:${port}`, ''],
  ['localhost without a scheme', (port) => `localhost:${port}`, ''],
  ['surrounding spaces', (port) => `  http://127.0.0.1:${port} \n`, ''],
  ['trailing slashes', (port) => `http://127.0.0.1:${port}///`, ''],
  ['the API path', (port) => `http://127.0.0.1:${port}/api/v1/`, ''],
  ['part of the API path', (port) => `http://127.0.0.1:${port}/api`, ''],
  ['a path', (port) => `http://127.0.0.1:${port}/tools/sluice/`, '/tools/sluice'],
  [
    'a path and the API path, without a scheme',
    (port) => `127.0.0.1:${port}/tools/sluice/api/v1`,
    '/tools/sluice',
  ],
];

/** Invalid base URLs with the expected errors, which never contain the word `secret`. */
const REJECTED: readonly [url: string, expectedMessage: RegExp][] = [
  ['ftp://127.0.0.1', /ftp:\/\/127\.0\.0\.1 starts with ftp:\/\/; use http/],
  ['http://someone:secret@127.0.0.1', /contains credentials; remove them/],
  ['someone:secret@127.0.0.1', /contains credentials/],
  ['http://someone:secret@127.0.0.1:99999', /is not a URL; use a URL such as/],
  ['http://127.0.0.1/?a=b', /\?a=b has a query or fragment; remove it/],
  ['http://127.0.0.1/#top', /has a query or fragment/],
  ['http://', /is not a URL; use a URL such as https:\/\/sluice\.example/],
  ['two words', /two words is not a URL/],
];

describe('service base URL', { concurrency: 2 }, () => {
  for (const [description, url, path] of ACCEPTED)
    it(`accepts a base URL with ${description}`, async (context) => {
      const { port, requests } = await startService(context);
      const { code, stdout, stderr } = await pushOne(context, { service: { url: url(port) } });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.deepEqual(
        requests.map((request) => request.path),
        [`${path}/api/v1/limits`, `${path}/api/v1/ingestions`],
      );
      const host = description.startsWith('localhost') ? 'localhost' : '127.0.0.1';
      assert.ok(stdout.includes(`\n  Scans: http://${host}:${port}${path}/scans\n`), stdout);
    });

  for (const [url, expectedMessage] of REJECTED)
    it(`rejects the base URL ${url}`, async (context) => {
      const result = await pushOne(context, { service: { url } });
      const { code, message } = failureOf(result);
      assert.equal(code, 'invalid_base_url');
      assert.match(message, expectedMessage);
      assert.match(message, CHECK_VARIABLE);
      assert.doesNotMatch(result.stderr, /secret/);
    });

  it('uses HTTPS for hosts other than this machine if the base URL has no scheme', async (context) => {
    const { message } = failureOf(await pushOne(context, { service: { url: 'sluice.invalid' } }));
    assert.match(message, /^https:\/\/sluice\.invalid could not be reached/);
  });

  it('warns if the API key would be sent unencrypted to another host', async (context) => {
    const { retries: warnings } = failureOf(
      await pushOne(context, { service: { url: 'http://sluice.invalid' } }),
    );
    assert.deepEqual(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /^WARNING the connection to http:\/\/sluice\.invalid is not encrypted, so the API key can be intercepted$/,
    );
  });
});
