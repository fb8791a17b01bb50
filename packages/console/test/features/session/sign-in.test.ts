import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { createRestrictedKeys } from '../../support/restricted-keys.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('sign-in page', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  it('asks for an API key and opens the requested page after sign-in', async () => {
    const { page, assertQuiet, assertAccessible } = await openConsole(browser, service, {
      path: '/providers?type=aws',
      key: null,
    });
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await assertAccessible();
    await page.getByLabel('API key').fill(` ${service.key}\n`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor();
    assert.equal(page.url(), `${service.url}/providers?type=aws`);
    assertQuiet();
  });

  it('stores the API key only in the current tab, until the user signs out', async () => {
    const { page, context, assertQuiet } = await openConsole(browser, service, { key: null });
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Findings' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Findings' }).waitFor();
    const other = await context.newPage();
    await other.goto(service.url);
    await other.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    assert.ok(!page.url().includes(service.key));
    assert.ok(!JSON.stringify(await context.storageState()).includes(service.key));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    assertQuiet();
  });

  it('reports why an API key is invalid, and accepts a valid one', async () => {
    const { page, assertAccessible } = await openConsole(browser, service, { key: null });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter an API key').waitFor();
    await page.getByLabel('API key').fill('sk_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/This key was rejected \(401\): .+/).waitFor();
    await assertAccessible();
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Findings' }).waitFor();
  });

  itInWholeRun(
    'explains why uploads are unavailable: no subscription (402) or no permission (403)',
    async () => {
      const { withoutSubscription, withoutPermission } = await createRestrictedKeys(service);
      for (const [key, text] of [
        [withoutSubscription, /no active subscription.*\(402\)/],
        [withoutPermission, /lacks the manage_ingestions permission \(403\)/],
      ] as const) {
        const { page, assertAccessible, assertQuiet } = await openConsole(browser, service, { key });
        await page.getByText(text).waitFor();
        await assertAccessible();
        assertQuiet();
      }
    },
  );

  itInWholeRun('asks for another API key after a revocation, and returns to the same page', async () => {
    await createUser(service, service.tenantId, 'other@example.com');
    const key = await createKey(service, service.tenantId, 'other@example.com');
    const { page, assertQuiet } = await openConsole(browser, service, { key, path: '/findings?status=FAIL' });
    await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
    // A pending request would end the session before the click.
    await page.waitForLoadState('networkidle');
    await service.sluiceJson('api-key', 'revoke', '--tenant', service.tenantId, key.split('.')[0] ?? '');
    await page.getByRole('link', { name: 'Providers' }).click();
    await page.getByText(/You were signed out/).waitFor();
    await page.getByText(/was revoked/).waitFor();
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor();
    assertQuiet();
  });
});
