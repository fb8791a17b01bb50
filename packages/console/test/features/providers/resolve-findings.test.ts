import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import {
  type ProductAccess,
  productAccess,
  seen,
} from '../../../../server/test/support/reported-products.ts';
import { until } from '../../../../server/test/support/until.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('resolving the findings of a product in the console', { skip: withoutBrowser }, () => {
  const account = '111';
  let service: SharedService;
  let browser: Browser;
  let products: ProductAccess;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    products = productAccess(service);
    await products.client.ingest([
      seen({ account, product: 'Old' }),
      seen({ account, product: 'Old', uid: 'b', status: 'PASS' }),
      seen({ account, product: 'New' }),
      seen({ account: 'without', product: null }),
    ]);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  itInWholeRun('explains that resolving findings requires manage_providers', async () => {
    await createUser(service, service.tenantId, 'reader@example.com', 'read_findings');
    const key = await createKey(service, service.tenantId, 'reader@example.com');
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/providers', key });
    await page.getByRole('button', { name: 'Resolve findings in 111' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve findings in AWS 111' });
    await dialog.getByRole('button', { name: 'Resolve findings' }).click();
    await dialog.getByText('Permission denied').waitFor();
    await dialog.getByText(/manage_providers/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await products.listed(account)).attributes.account, account);
    assertQuiet();
  });

  itInWholeRun('reports that no product has reported findings in an account', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/providers' });
    await page.getByRole('button', { name: 'Resolve findings in without' }).click();
    await page.getByText('No product has reported findings in this account.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    assertQuiet();
  });

  it('shows the number of open findings of a product before they are resolved, and the result', async () => {
    const shown = await openConsole(browser, service, { path: '/providers' });
    const { page, assertQuiet } = shown;
    const countOf = async () => (await readRows(page, 'Providers')).find(([, name]) => name === account)?.[4];
    await until(async () => (await countOf()) === '3');
    await page.getByRole('button', { name: 'Resolve findings in 111' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve findings in AWS 111' });
    await dialog.getByText('1 open finding (1 failing)').waitFor();
    await dialog.getByLabel('Product').selectOption('Old (2 open findings)');
    await dialog.getByText('2 open findings (1 failing)').waitFor();
    await dialog.getByText(/A new scan by Old reverses this/).waitFor();
    await assertAccessibleInAllModes(shown);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await products.states(account), { 'a-New': 'open', 'a-Old': 'open', 'b-Old': 'open' });

    await page.getByRole('button', { name: 'Resolve findings in 111' }).click();
    await dialog.getByLabel('Product').selectOption('Old (2 open findings)');
    await dialog.getByRole('button', { name: 'Resolve findings' }).click();
    await dialog.getByText('2 findings of Old resolved.').waitFor();
    await assertAccessibleInAllModes(shown);
    const states = await products.states(account);
    assert.equal(states['a-New'], 'open');
    assert.ok(states['a-Old'] !== 'open' && states['b-Old'] !== 'open');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await until(async () => (await countOf()) === '1');

    await page.getByRole('button', { name: 'Resolve findings in 111' }).click();
    await dialog.getByLabel('Product').selectOption('Old (0 open findings)');
    await dialog.getByText('Old has no open findings in this account.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Resolve findings' }).isDisabled(), true);
    assertQuiet();
  });
});
