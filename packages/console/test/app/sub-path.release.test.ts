import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { createClient } from '../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../server/test/support/find-browser.ts';
import { record } from '../../../server/test/support/records.ts';
import { createSandbox } from '../../../server/test/support/sandbox.ts';
import type { Service } from '../../../server/test/support/service.ts';
import { closeConsoles, openConsole } from '../support/browser.ts';
import { startBrowser } from '../support/start-browser.ts';

const PREFIX = '/security/sluice';

describe('console under a proxy path prefix', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let browser: Browser;
  let proxy: Server;
  let url: string;
  before(async () => {
    let target = '';
    // Strips the prefix, and rejects all other paths.
    proxy = createServer((incoming, outgoing) => {
      const { url: path = '', method, headers } = incoming;
      if (!path.startsWith(`${PREFIX}/`)) return outgoing.writeHead(404).end('another application');
      const forwarded = request(`${target}${path.slice(PREFIX.length)}`, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      });
      return incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    url = `http://127.0.0.1:${port}${PREFIX}`;
    [service, browser] = await Promise.all([
      sandbox.startService({ SLUICE_WORKERS: '1', SLUICE_PUBLIC_URL: url }),
      startBrowser(),
    ]);
    target = service.url;
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    proxy.closeAllConnections();
    proxy.close();
    await sandbox.clear();
  });

  it('loads assets, pages and API responses under a proxy path prefix, and only links to URLs with that prefix', async () => {
    await createClient(service.url, service.key).ingest([record()]);
    const { page, assertQuiet } = await openConsole(browser, { url, key: service.key }, { path: '/scans' });
    await page.getByRole('table', { name: 'Scans' }).getByRole('row').nth(1).waitFor();
    for (const name of ['Findings', 'Overview', 'Providers']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      assert.ok(page.url().startsWith(`${url}/`), page.url());
    }
    await page.reload();
    await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor();
    const urls = await page.evaluate(() => [...document.querySelectorAll('a')].map(({ href }) => href));
    for (const each of urls) assert.ok(each.startsWith(`${url}/`), each);
    assertQuiet();
  });
});
