import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { scanFile } from '../../../../server/test/support/listed-scans.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('subscription page', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
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
    await service.leave();
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
});
