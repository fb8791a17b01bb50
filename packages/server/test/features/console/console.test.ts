import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { download } from '../../support/download.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';

const PAGES = ['/', '/findings', '/scans', '/scans/1', '/ingestions', '/ingestions/1', '/api-keys'];
/** Contains every HTML special character that is valid in a URL path. */
const PUBLIC_URL = "https://findings.example.com/of/o'sluice&$&;x";

describe('console files', () => {
  const sandbox = createSandbox();
  let service: SharedService;
  let publicService: Service;
  before(async () => {
    [service, publicService] = await Promise.all([
      joinService(),
      sandbox.startService({ SLUICE_WORKERS: '1', SLUICE_PUBLIC_URL: `${PUBLIC_URL}/` }),
    ]);
  });
  after(async () => {
    await service.leave();
    await sandbox.clear();
  });

  const readResponse = async (path: string, init?: RequestInit) => await fetch(`${service.url}${path}`, init);
  /** The files that a page references, relative to the service path. */
  const filesOf = (page: string) =>
    [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="\.\/([^"]+)"/g)].map(
      ([, name = '']) => `/${name}`,
    );
  const downloadFile = (path: string, headers: Readonly<Record<string, string>>) =>
    download(`${service.url}${path}`, { headers });

  it('serves the same page with Cache-Control: no-cache at every console path, with or without an API key', async () => {
    const pages = new Set<string>();
    for (const path of [...PAGES, '/scans/', '/findings?status=FAIL']) {
      for (const authorization of ['', 'Api-Key wrong', `Api-Key ${service.key}`]) {
        const response = await readResponse(path, { headers: { authorization, accept: 'text/html' } });
        assert.equal(response.status, 200, path);
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
        assert.equal(response.headers.get('cache-control'), 'no-cache');
        pages.add(await response.text());
      }
    }
    assert.equal(pages.size, 1);
    assert.ok(![...pages].join().includes(service.tenantId));
  });

  it('returns API errors for paths outside the console', async () => {
    for (const path of [
      '/nothing/here',
      '/findings/1',
      '/index.html',
      '/pages.json',
      '/assets/',
      '/assets/x.js',
    ])
      assert.match(await (await readResponse(path)).text(), /"code":"not_found"/, path);
    for (const path of ['/assets/..%2f..%2fpackage.json', '/assets/../../package.json', '/..%2fpackage.json'])
      assert.equal((await readResponse(path)).status, 404, path);
  });

  it('sends a content security policy that restricts the console to files from the service', async () => {
    const response = await readResponse('/');
    const policy = (response.headers.get('content-security-policy') ?? '').split('; ');
    assert.deepEqual(policy, [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    const page = await response.text();
    assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|<script>|https?:|\/\//);
    assert.ok(filesOf(page).length >= 4, page);
  });

  it('serves every console file as immutable, in the content coding that the client prefers', async () => {
    const page = await (await readResponse('/')).text();
    const kept = [];
    for (const path of filesOf(page)) {
      const plain = await downloadFile(path, {});
      assert.match(
        String(plain.headers['content-type']),
        /^((text|application)\/(css|javascript)|image\/svg\+xml)/,
      );
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(String(plain.headers.vary).toLowerCase(), 'accept-encoding');
      if (plain.headers['cache-control'] === 'public, max-age=31536000, immutable') kept.push(path);
      for (const [accepted, coding, inflate] of [
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
      ] as const) {
        const { headers, body } = await downloadFile(path, { 'accept-encoding': accepted });
        // Small files are not compressed.
        if (plain.body.length < 512) assert.ok(body.equals(plain.body));
        else {
          assert.equal(headers['content-encoding'], coding, path);
          assert.ok(inflate(body).equals(plain.body));
          assert.ok(body.length < plain.body.length);
        }
      }
    }
    assert.deepEqual(
      kept,
      filesOf(page).filter((path) => path.startsWith('/assets/')),
    );
    assert.ok(kept.length >= 2);
  });

  it('returns 304 for a console file that the browser already has', async () => {
    const page = await (await readResponse('/')).text();
    for (const path of filesOf(page)) {
      const etag = String((await downloadFile(path, {})).headers.etag);
      const { status, body } = await downloadFile(path, { 'if-none-match': etag });
      assert.deepEqual([status, body.length], [304, 0], path);
    }
  });

  it('returns the same headers for HEAD as for GET requests to the console, and 405 for other methods', async () => {
    const [, file = ''] = filesOf(await (await readResponse('/')).text());
    for (const path of ['/', '/scans', file]) {
      const [get, head] = [await readResponse(path), await readResponse(path, { method: 'HEAD' })];
      assert.deepEqual([head.status, await head.text()], [200, '']);
      for (const name of ['content-type', 'content-length', 'content-security-policy', 'cache-control'])
        assert.equal(head.headers.get(name), get.headers.get(name), name);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const refused = await readResponse(path, { method });
        assert.equal(refused.status, 405);
        assert.deepEqual(refused.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD']);
        assert.match(await refused.text(), /"code":"method_not_allowed"/);
      }
    }
  });

  it('writes the HTML-escaped path of the public URL into the console page', async () => {
    const page = await (await fetch(`${publicService.url}/scans`)).text();
    assert.ok(page.includes(`<base href="/of/o'sluice&amp;$&amp;;x/">`), page);
    assert.ok((await (await readResponse('/scans')).text()).includes('<base href="/">'));
  });
});
