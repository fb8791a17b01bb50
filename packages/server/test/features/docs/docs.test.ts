import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { startBrowser } from '../../../../console/test/support/start-browser.ts';
import { withoutBrowser } from '../../support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';

const ASSETS = ['page.js', 'page.css', 'swagger-ui-bundle.js', 'swagger-ui.css'];

describe('the API reference', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  it('sends a content security policy that restricts the API reference to resources from the service', async () => {
    const response = await fetch(`${service.url}/docs`);
    assert.deepEqual(
      [response.status, response.headers.get('content-type')],
      [200, 'text/html; charset=utf-8'],
    );
    const policy = response.headers.get('content-security-policy') ?? '';
    const sources = policy.split('; ').map((directive) => directive.split(' '));
    assert.deepEqual(sources.shift(), ['default-src', "'none'"]);
    for (const [directive, ...allowed] of sources)
      assert.ok(
        [`'self'`, `'none'`, 'data:'].includes(allowed.join(' ')) &&
          (directive === 'img-src' || allowed[0] !== 'data:'),
        `${directive} ${allowed}`,
      );
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const page = await response.text();
    assert.doesNotMatch(page, /https?:|<style|\sstyle=|\son\w+=|<script>|\{\{/);
    const links = [...page.matchAll(/(?:src|href)="(docs\/[^"?]+)\?\d+\.\d+\.\d+"/g)].map(([, link]) => link);
    assert.deepEqual(links.sort(), ASSETS.map((name) => `docs/${name}`).sort());
  });

  it('serves the assets of the API reference, compressed if the client accepts gzip', async () => {
    for (const name of ASSETS) {
      const sizes: number[] = [];
      const texts: string[] = [];
      for (const encoding of ['identity', 'gzip']) {
        const response = await fetch(`${service.url}/docs/${name}`, {
          headers: { 'accept-encoding': encoding },
        });
        assert.equal(response.status, 200, name);
        assert.match(
          response.headers.get('content-type') ?? '',
          name.endsWith('.js') ? /^text\/javascript/ : /^text\/css/,
        );
        assert.equal(response.headers.get('content-encoding'), encoding === 'gzip' ? 'gzip' : null);
        assert.match(response.headers.get('cache-control') ?? '', /max-age=\d{4,}/);
        sizes.push(Number(response.headers.get('content-length')));
        texts.push(await response.text());
      }
      assert.equal(texts[1], texts[0]);
      assert.ok((sizes[1] ?? 0) < (sizes[0] ?? 0) || (sizes[0] ?? 0) < 1000, `${name}: ${sizes}`);
    }
  });

  it('returns 404 for other paths below /docs, and redirects /docs/ to /docs', async () => {
    for (const name of ['', 'swagger-ui.js', 'package.json', '..%2Fapp.ts', 'assets.ts', 'docs.html']) {
      const { status } = await fetch(`${service.url}/docs/${name}`, { redirect: 'manual' });
      assert.equal(status, name === '' ? 308 : 404, name);
    }
    const { url, status } = await fetch(`${service.url}/docs/?x=1`);
    assert.deepEqual([url, status], [`${service.url}/docs`, 200]);
  });

  describe('the API reference in a browser', { skip: withoutBrowser }, () => {
    let browser: Browser;
    before(async () => {
      browser = await startBrowser();
    });
    after(() => browser.close());

    /** Returns the page after its scripts have run, with the browser's console messages, errors and requests. */
    async function open(address: string) {
      const page = await browser.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(address, { waitUntil: 'networkidle' });
      await page.locator('.opblock').first().waitFor();
      const dom = await page.content();
      await page.close();
      return { dom, complaints, requests };
    }

    /** Fails if the page omits an operation in the OpenAPI description. */
    async function assertShowsEveryOperation(dom: string) {
      const description = z
        .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string() }))) })
        .parse(await (await fetch(`${service.url}/api/v1/openapi.json`)).json());
      for (const [operationPath, methods] of Object.entries(description.paths)) {
        assert.ok(dom.includes(`data-path="${operationPath}"`), operationPath);
        for (const { summary } of Object.values(methods)) assert.ok(dom.includes(summary), summary);
      }
    }

    itInWholeRun(
      'shows every operation in the API reference, and expands the operation in the URL',
      async () => {
        const { dom, complaints, requests } = await open(`${service.url}/docs#/Ingestions/listIngestions`);
        assert.deepEqual(complaints, []);
        await assertShowsEveryOperation(dom);
        assert.ok(requests.includes(`${service.url}/api/v1/openapi.json`));
        for (const request of requests)
          assert.ok(request.startsWith(`${service.url}/`) || request.startsWith('data:'), request);
        assert.match(dom, /opblock-get is-open/);
        for (const text of [
          'filter[status__in]',
          'page[size]',
          'A page of jobs',
          'invalid_parameter',
          'WWW-Authenticate',
        ])
          assert.ok(dom.includes(text), text);
      },
    );

    if (isWholeRun)
      it('shows the API reference when the service is opened under another host name', async () => {
        const { dom, complaints } = await open(`${service.url.replace('127.0.0.1', 'localhost')}/docs`);
        assert.deepEqual(complaints, []);
        await assertShowsEveryOperation(dom);
        assert.ok(dom.includes('data-path="/api/v1/findings"'));
      });
  });
});
