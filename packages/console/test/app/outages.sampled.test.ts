import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { createClient } from '../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { scanFile } from '../../../server/test/support/listed-scans.ts';
import { createKey } from '../../../server/test/support/operator.ts';
import { createSandbox } from '../../../server/test/support/sandbox.ts';
import type { Service } from '../../../server/test/support/service.ts';
import { until } from '../../../server/test/support/until.ts';
import { closeConsoles, openConsole } from '../support/browser.ts';
import { readRows } from '../support/read-rows.ts';
import { startBrowser } from '../support/start-browser.ts';

describe('console pages during an outage', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([sandbox.startService({ SLUICE_WORKERS: '1' }), startBrowser()]);
    await createClient(service.url, service.key).ingest(
      scanFile([
        ['aws/111', 'a', 2, 1, 1],
        ['aws/222', 'a', 1, 0, 0],
      ]),
    );
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await sandbox.clear();
  });

  /** Restarts the service with the same data at the same URL. */
  const restart = async () => {
    const { key, tenantId, url, dataDir } = service;
    const started = await sandbox.startService({ PORT: new URL(url).port }, dataDir);
    service = { ...started, key, tenantId };
  };

  it('keeps the list of scans on screen during an outage and recovers automatically', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/scans' });
    await page.getByText('2 scans').waitFor();
    await service.end();
    await page.getByRole('button', { name: 'Records' }).click();
    await page.getByText(/Can't reach Sluice\./).waitFor();
    await page.getByText('2 scans').waitFor();
    await restart();
    await page.getByText(/Can't reach Sluice\./).waitFor({ state: 'detached' });
    await until(async () => (await readRows(page, 'Scans'))[0]?.[3] === '4');
    assertQuiet();
  });

  itInWholeRun('reports an outage in the alias dialog and saves the alias afterwards', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/providers' });
    await page.getByRole('button', { name: 'Edit alias for 222' }).click();
    await page.getByRole('dialog').getByLabel('Alias').fill('Later');
    await service.end();
    await page.getByRole('button', { name: 'Save alias' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Can't reach Sluice\./)
      .waitFor();
    await restart();
    await page.getByRole('button', { name: 'Save alias' }).click();
    await page.getByRole('cell', { name: 'Later' }).waitFor();
    assertQuiet();
  });

  if (isWholeRun) {
    it('keeps the list of API keys on screen during an outage and recovers automatically', async () => {
      const expiring = await createKey(
        service,
        service.tenantId,
        'admin@localhost',
        '--expires',
        '2999-01-31T00:00:00Z',
      );
      const prefix = expiring.split('.')[0] ?? '';
      const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys' });
      await page.getByRole('row', { name: /Current key/ }).waitFor();
      await service.end();
      await page.getByRole('button', { name: 'Expires' }).click();
      await page.getByText(/Can't reach Sluice\./).waitFor();
      await page.getByRole('row', { name: /Current key/ }).waitFor();
      await restart();
      await until(async () => (await readRows(page, 'API keys'))[0]?.[0]?.endsWith(prefix));
      assertQuiet();
    });

    it('shows the subscription automatically after an outage', async () => {
      const { page } = await openConsole(browser, service, { path: '/subscription' });
      await page.getByText('Active', { exact: true }).waitFor();
      await service.end();
      await page.getByRole('link', { name: 'Providers', exact: true }).first().click();
      await page.getByRole('link', { name: 'Subscription', exact: true }).click();
      await page.getByText('Active', { exact: true }).waitFor();
      await restart();
      await page.getByText(/Can't reach Sluice\./).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'AWS' }).waitFor();
    });
  }
});
