import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { createClient } from './support/client.ts';
import { run } from './support/process.ts';
import { record, without } from './support/records.ts';
import { createSandbox } from './support/sandbox.ts';
import type { Service } from './support/service.ts';

const PATHS = ['/', '/scans'];
/** With all that means something in HTML or in a shell and may stand in a URL. */
const PUBLIC_URL = "https://findings.example.com/of/o'sluice&$HOME;x";

describe('the start page', () => {
  const sandbox = createSandbox();
  let service: Service;
  let named: Service;
  before(async () => {
    [service, named] = await Promise.all([
      sandbox.startService({ SLUICE_WORKERS: '1' }),
      sandbox.startService({ SLUICE_WORKERS: '1', SLUICE_PUBLIC_URL: `${PUBLIC_URL}/` }),
    ]);
  });
  after(() => sandbox.clear());

  const pageOf = async (path: string, init?: RequestInit) => await fetch(`${service.url}${path}`, init);
  /** As a client asks that calls the service by another name. */
  const pageFor = (host: string, { url }: Service) =>
    new Promise<string>((resolve, reject) => {
      request(`${url}/scans`, { headers: { host } }, (response) => text(response).then(resolve, reject))
        .on('error', reject)
        .end();
    });

  it('is shown at / and at /scans to everybody, and is the same for everybody', async () => {
    const pages = [];
    for (const path of [...PATHS, '/scans/', '/scans?page=1']) {
      for (const authorization of ['', 'Api-Key wrong', `Api-Key ${service.key}`]) {
        const response = await pageOf(path, { headers: { authorization, accept: 'text/html' } });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
        pages.push(await response.text());
      }
    }
    const [page = '', ...others] = pages;
    for (const other of others) assert.equal(other, page);
    assert.match(page, /<h1>Sluice runs here<\/h1>/);
    assert.match(page, /There is no console yet/);
    assert.ok(!page.includes(service.tenantId));
  });

  it('lets a browser use nothing but its own style', async () => {
    const response = await pageOf('/scans');
    const page = await response.text();
    const [style, ...others] = [...page.matchAll(/<style[^>]*>(.*?)<\/style>/gs)];
    assert.deepEqual(others, []);
    const hash = createHash('sha256')
      .update(style?.[1] ?? '')
      .digest('base64');
    assert.equal(
      response.headers.get('content-security-policy'),
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.doesNotMatch(page, /<script|<link|<img|<iframe|\son\w+=|\sstyle=|\s(?:src|href)=|url\(|@import/i);
    assert.match(style?.[1] ?? '', /prefers-color-scheme: dark/);
  });

  it('answers HEAD with the headers of GET, and refuses other methods with 405', async () => {
    for (const path of PATHS) {
      const [get, head] = [await pageOf(path), await pageOf(path, { method: 'HEAD' })];
      assert.deepEqual([head.status, await head.text()], [200, '']);
      for (const name of ['content-type', 'content-length', 'content-security-policy'])
        assert.equal(head.headers.get(name), get.headers.get(name), name);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const refused = await pageOf(path, { method });
        assert.equal(refused.status, 405);
        assert.deepEqual(refused.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD']);
        assert.match(await refused.text(), /"code":"method_not_allowed"/);
      }
    }
  });

  it('has no command that does not work', async () => {
    const client = createClient(service.url, service.key);
    const { id } = await client.ingest([record(), without('finding_info.uid')]);
    const page = await (await pageOf('/scans')).text();
    const [setting, ...commands] = commandsOf(page).map((command) =>
      command.replace('<API_KEY>', service.key).replace('<ID>', id),
    );
    const answers: Record<string, unknown> = {};
    for (const command of commands) {
      const { code, stdout, stderr } = await run('sh', ['-c', `${setting}\n${command}`], {
        env: { PATH: process.env.PATH },
      });
      assert.deepEqual([code, stderr], [0, ''], command);
      const path = /\$SLUICE([^"]*)/.exec(command)?.[1]?.replace(id, ':id') ?? command;
      answers[path] = JSON.parse(stdout);
    }
    const expected = {
      '/api/v1/ingestions': (await client.get('/ingestions')).body,
      '/api/v1/ingestions/:id': (await client.get(`/ingestions/${id}`)).body,
      '/api/v1/ingestions/:id/errors': (await client.get(`/ingestions/${id}/errors`)).body,
      '/api/v1/limits': (await client.get('/limits')).body,
      '/health/ready': { status: 'pass' },
    };
    assert.deepEqual(answers, expected);
    for (const answer of Object.values(expected)) assert.ok(!('errors' in answer));
  });

  it('has the address by which it was asked for, where no setting gives it another', async () => {
    assert.equal(await addressOn(await (await pageOf('/')).text()), service.url);
    for (const host of ['sluice.example.com', 'sluice:8080', '[::1]:8080', '10.0.0.7'])
      assert.equal(await addressOn(await pageFor(host, service)), `http://${host}`);
    for (const host of ['"><script>alert(1)</script>', "';id;'", '$(id)', '-x', 'a b', 'a/b', 'a:b', ''])
      assert.equal(await addressOn(await pageFor(host, service)), service.url, host);
  });

  it('has the address that a setting gives it, as HTML and as a word of a shell', async () => {
    const page = await pageFor('elsewhere.example.org', named);
    assert.ok(page.includes("'https://findings.example.com/of/o%27sluice&amp;$HOME;x'"));
    assert.equal(await addressOn(page), PUBLIC_URL.replace("'", '%27'));
    assert.doesNotMatch(page, /elsewhere|\{\{/);
  });

  it('is no start page of other paths', async () => {
    for (const path of ['/scan', '/scans/1', '/index.html', '/favicon.ico'])
      assert.equal((await pageOf(path)).status, 404, path);
  });
});

/** The shell commands of the page, as a person would copy them. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/<pre>(.*?)<\/pre>/gs)].map(([, html = '']) =>
    html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

/** What a shell makes of the address on the page. */
async function addressOn(page: string): Promise<string> {
  const [setting = ''] = commandsOf(page);
  const { stdout } = await run('sh', ['-c', `${setting}\nprintf %s "$SLUICE"`]);
  return stdout;
}
