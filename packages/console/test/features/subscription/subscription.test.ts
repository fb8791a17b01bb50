import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { scanFile } from '../../../../server/test/support/listed-scans.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { createSandbox } from '../../../../server/test/support/sandbox.ts';
import type { Service } from '../../../../server/test/support/service.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { rowsOf } from '../../support/rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('the subscription page', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([sandbox.startService({ SLUICE_WORKERS: '1' }), startBrowser()]);
    await createClient(service.url, service.key).ingest(
      scanFile([
        ['aws/111', 'a', 2, 1, 1],
        ['aws/222', 'a', 1, 0, 0],
        ['gcp/111', 'b', 0, 4, 0],
      ]),
    );
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await sandbox.clear();
  });

  it('shows an active subscription, what it counts, and who can change it', async () => {
    const console = await openConsole(browser, service, { path: '/subscription' });
    const { page, assertQuiet } = console;
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText(/^One per account that findings have come of\./).waitFor();
    assert.deepEqual(await rowsOf(page, 'Providers by type'), [
      ['aws', '2'],
      ['gcp', '1'],
    ]);
    await page.getByText('3', { exact: true }).waitFor();
    await page.getByText(service.tenantId, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy the tenant id' }).waitFor();
    await page.getByText(`sluice subscription set --tenant ${service.tenantId} none`).waitFor();
    await assertAccessibleInAllModes(console);
    await page.getByRole('link', { name: 'gcp' }).click();
    await page.getByText('1 provider', { exact: true }).waitFor();
    assert.equal(page.url(), `${service.url}/providers?provider_type=gcp`);
    assertQuiet();
  });

  it('explains to a tenant without a subscription that uploads are rejected, and how to activate it', async () => {
    const poor = await service.sluiceJson<{ id: string }>(
      'tenant',
      'create',
      'Poor',
      '--subscription',
      'none',
    );
    // A narrowed key may read it as well.
    await createUser(service, poor.id, 'poor@example.com', 'manage_scans');
    const key = await createKey(service, poor.id, 'poor@example.com');
    const console = await openConsole(browser, service, { path: '/subscription', key });
    const { page, assertQuiet } = console;
    await page.getByText('None', { exact: true }).waitFor();
    await page.getByText(/Uploads are refused \(402\)/).waitFor();
    await page.getByText('There are none yet.').waitFor();
    await assertAccessibleInAllModes(console);
    const command = await page.getByText(/^sluice subscription set/).innerText();
    await service.sluiceJson(...command.split(' ').slice(1));
    await page.reload();
    await page.getByText('Active', { exact: true }).waitFor();
    assertQuiet();
  });

  it('shows the subscription as soon as the service is back', async () => {
    await service.end();
    const { page } = await openConsole(browser, await restarted(), {
      path: '/subscription',
      key: service.key,
    });
    await page.getByText('Active', { exact: true }).waitFor();
    await service.end();
    await page.getByRole('link', { name: 'Providers', exact: true }).first().click();
    await page.getByRole('link', { name: 'Subscription', exact: true }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await restarted();
    await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'aws' }).waitFor();
  });

  /** The same service, started again at the same address. */
  async function restarted(): Promise<Service> {
    const { key, tenantId, url, dataDir } = service;
    const started = await sandbox.startService({ PORT: new URL(url).port }, dataDir);
    service = { ...started, key, tenantId };
    return service;
  }
});
