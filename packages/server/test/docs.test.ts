import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { browserPath, withoutBrowser } from './support/find-browser.ts';
import { joinService, type SharedService } from './support/lanes.ts';
import { run } from './support/process.ts';

const ASSETS = ['page.js', 'page.css', 'swagger-ui-bundle.js', 'swagger-ui.css'];

describe('the reference page', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  it('lets a browser use nothing but what the service itself serves', async () => {
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

  it('has its parts, compressed where the client takes that', async () => {
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

  it('has no other parts, and one address', async () => {
    for (const name of ['', 'swagger-ui.js', 'package.json', '..%2Fapp.ts', 'assets.ts', 'docs.html']) {
      const { status } = await fetch(`${service.url}/docs/${name}`, { redirect: 'manual' });
      assert.equal(status, name === '' ? 308 : 404, name);
    }
    const { url, status } = await fetch(`${service.url}/docs/?x=1`);
    assert.deepEqual([url, status], [`${service.url}/docs`, 200]);
  });

  describe('in a browser', { skip: withoutBrowser }, () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'sluice-docs-'));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    /** The page after its scripts have run, what the browser complained about, and what it asked for. */
    async function open(address: string) {
      const log = path.join(folder, 'net.json');
      const { stdout: dom, stderr } = await run(browserPath, [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
        '--enable-logging=stderr',
        `--user-data-dir=${path.join(folder, 'profile')}`,
        `--log-net-log=${log}`,
        '--virtual-time-budget=10000',
        '--dump-dom',
        address,
      ]);
      const complaints = stderr.split('\n').filter((line) => line.includes('CONSOLE'));
      return { dom, complaints, requests: requestsIn(await readFile(log, 'utf8')) };
    }

    it('shows every operation, without a complaint and without a request to elsewhere', async () => {
      const { dom, complaints, requests } = await open(`${service.url}/docs`);
      assert.deepEqual(complaints, []);
      const description = z
        .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string() }))) })
        .parse(await (await fetch(`${service.url}/api/v1/openapi.json`)).json());
      for (const [operationPath, methods] of Object.entries(description.paths)) {
        assert.ok(dom.includes(`data-path="${operationPath}"`), operationPath);
        for (const { summary } of Object.values(methods)) assert.ok(dom.includes(summary), summary);
      }
      assert.ok(requests.includes(`${service.url}/api/v1/openapi.json`));
      for (const request of requests)
        assert.ok(request.startsWith(`${service.url}/`) || request.startsWith('data:'), request);
    });

    it('opens an operation by its address, with its parameters, answers and examples', async () => {
      const { dom, complaints } = await open(`${service.url}/docs#/Ingestions/listIngestions`);
      assert.deepEqual(complaints, []);
      assert.match(dom, /opblock-get is-open/);
      for (const text of [
        'filter[status__in]',
        'page[size]',
        'A page of jobs',
        'invalid_parameter',
        'WWW-Authenticate',
      ])
        assert.ok(dom.includes(text), text);
    });

    it('works under another name of the service', async () => {
      const { dom, complaints } = await open(`${service.url.replace('127.0.0.1', 'localhost')}/docs`);
      assert.deepEqual(complaints, []);
      assert.ok(dom.includes('data-path="/api/v1/findings"'));
    });
  });
});

/** The addresses of all requests that a page has made, in a log of Chromium's network stack; not the browser's own. */
function requestsIn(log: string): string[] {
  const events = z.object({ events: z.array(z.object({ params: z.unknown().optional() })) });
  const withUrl = z.object({ url: z.string(), initiator: z.string().startsWith('http') });
  const urls = events
    .parse(JSON.parse(log))
    .events.flatMap(({ params }) => withUrl.safeParse(params).data?.url ?? []);
  return [...new Set(urls)];
}
