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
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('subscription page', { skip: withoutBrowser }, () => {
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

  it('shows an active subscription with its billable providers and the command to deactivate it', async () => {
    const console = await openConsole(browser, service, { path: '/subscription' });
    const { page, assertQuiet } = console;
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText(/^Each account that has findings is counted once/).waitFor();
    assert.deepEqual(await readRows(page, 'Providers by type'), [
      ['AWS', '2'],
      ['Google Cloud', '1'],
    ]);
    await page.getByText('3', { exact: true }).waitFor();
    await page.getByText(service.tenantId, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy tenant ID' }).waitFor();
    await page.getByText(`sluice subscription set --tenant ${service.tenantId} none`).waitFor();
    await assertAccessibleInAllModes(console);
    await page.getByRole('link', { name: 'Google Cloud' }).click();
    await page.getByText('1 provider', { exact: true }).waitFor();
    assert.equal(page.url(), `${service.url}/providers?provider_type=gcp`);
    assertQuiet();
  });

  it('explains an inactive subscription and shows the command to activate it', async () => {
    const unsubscribed = await service.sluiceJson<{ id: string }>(
      'tenant',
      'create',
      'Unsubscribed',
      '--subscription',
      'none',
    );
    // Any key can read the subscription.
    await createUser(service, unsubscribed.id, 'unsubscribed@example.com', 'manage_scans');
    const key = await createKey(service, unsubscribed.id, 'unsubscribed@example.com');
    const console = await openConsole(browser, service, { path: '/subscription', key });
    const { page, assertQuiet } = console;
    await page.getByText('Inactive', { exact: true }).waitFor();
    await page.getByText(/Uploads are rejected \(402\)/).waitFor();
    await page.getByText(/^No providers yet\./).waitFor();
    await assertAccessibleInAllModes(console);
    const command = await page.getByText(/^sluice subscription set/).innerText();
    await service.sluiceJson(...command.split(' ').slice(1));
    await page.reload();
    await page.getByText('Active', { exact: true }).waitFor();
    assertQuiet();
  });

  it('shows the subscription automatically after an outage', async () => {
    await service.end();
    const { page } = await openConsole(browser, await restartService(), {
      path: '/subscription',
      key: service.key,
    });
    await page.getByText('Active', { exact: true }).waitFor();
    await service.end();
    await page.getByRole('link', { name: 'Providers', exact: true }).first().click();
    await page.getByRole('link', { name: 'Subscription', exact: true }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await restartService();
    await page.getByText(/Can't reach Sluice\./).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'AWS' }).waitFor();
  });

  /** Restarts the service with the same data at the same URL. */
  async function restartService(): Promise<Service> {
    const { key, tenantId, url, dataDir } = service;
    const started = await sandbox.startService({ PORT: new URL(url).port }, dataDir);
    service = { ...started, key, tenantId };
    return service;
  }
});
