import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../support/client.ts';
import { openSocket } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';

const STRICT = "default-src 'none'; frame-ancestors 'none'";

describe('security headers', () => {
  const sandbox = createSandbox();
  let service: Service;
  let secure: Service;
  let job: string;
  before(async () => {
    [service, secure] = await Promise.all([
      sandbox.startService({ SLUICE_PUBLIC_URL: 'http://findings.example.com' }),
      sandbox.startService({ SLUICE_PUBLIC_URL: 'https://findings.example.com' }),
    ]);
    job = (await createClient(service.url, service.key).ingest([record()])).id;
  });
  after(() => sandbox.clear());

  /**
   * Returns the response head for a raw request. An HTTP client can't trigger all of these responses.
   */
  const headOf = async (to: Service, ...lines: string[]) => {
    const socket = await openSocket(to);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    let received = '';
    for await (const bytes of socket) {
      received += String(bytes);
      if (received.includes('\r\n\r\n')) break;
    }
    const [statusLine = '', ...rest] = received.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    return { status: Number(statusLine.split(' ')[1]), headers: new Headers(rest.map((line) => pair(line))) };
  };
  const pair = (line: string): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  };
  const get = (to: Service, path: string) =>
    headOf(to, `GET ${path} HTTP/1.1`, 'Host: test', `Authorization: Api-Key ${to.key}`);

  const assertCommon = (headers: Headers, policy: string | RegExp) => {
    const expected = {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name);
    assert.match(headers.get('permissions-policy') ?? '', /\bcamera=\(\), /);
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    const given = headers.get('content-security-policy') ?? '';
    if (typeof policy === 'string') assert.equal(given, policy);
    else assert.match(given, policy);
    assert.match(given, /frame-ancestors 'none'/);
    for (const name of ['server', 'x-powered-by']) assert.equal(headers.get(name), null);
  };

  it('sends security headers with documents, files, all types of errors and malformed requests', async () => {
    for (const [path, status] of [
      ['/api/v1/ingestions', 200],
      [`/api/v1/ingestions/${job}/file`, 200],
      ['/api/v1/openapi.json', 200],
      ['/health/live', 200],
      ['/docs/page.js', 200],
      ['/docs/', 308],
      ['/api/v1/ingestions?x=1', 400],
      ['/api/v1/ingestions/unknown', 404],
      ['/nothing/here', 404],
      ['/api/v1/%zz', 400],
      [`/${'x'.repeat(20_000)}`, 431],
    ] as const) {
      const response = await get(service, path);
      assert.equal(response.status, status, path.slice(0, 100));
      assertCommon(response.headers, STRICT);
      assert.equal(response.headers.get('strict-transport-security'), null);
    }
    for (const [status, lines] of [
      [400, ['this is not HTTP']],
      [401, ['GET /api/v1/limits HTTP/1.1', 'Host: test']],
      [405, ['PUT /api/v1/limits HTTP/1.1', 'Host: test']],
      [431, ['GET / HTTP/1.1', 'Host: test', ...Array.from({ length: 200 }, (_, at) => `a${at}: b`)]],
    ] as const) {
      const response = await headOf(service, ...lines);
      assert.equal(response.status, status);
      assertCommon(response.headers, STRICT);
    }
  });

  it('sends HTML pages with security headers and a separate content security policy', async () => {
    assertCommon((await get(service, '/docs')).headers, /^default-src 'none'; script-src 'self';/);
    for (const path of ['/', '/scans'])
      assertCommon(
        (await get(service, path)).headers,
        /^default-src 'none'; script-src 'self'; .*trusted-types 'none'$/,
      );
  });

  it('sends Strict-Transport-Security only when the public URL uses HTTPS', async () => {
    for (const path of ['/', '/api/v1/limits', '/nothing/here', '/api/v1/%zz', `/${'x'.repeat(20_000)}`]) {
      const { headers } = await get(secure, path);
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path.slice(0, 100));
    }
  });
});
