import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('a dry run in the console', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let client: Client;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  it('is marked as such, and shows what the upload would change and the new accounts', async () => {
    const cloud = { provider: 'aws', account: { uid: 'dry-run-account', name: 'Dry run name' } };
    const { id } = await client.ingest([record({ cloud })], {
      fileName: 'dry-run.ocsf.json',
      parts: { dry_run: 'true' },
    });
    const console = await openConsole(browser, service, { path: '/ingestions' });
    const { page, assertQuiet, assertAccessible } = console;
    const row = page.getByRole('row').filter({ hasText: 'dry-run.ocsf.json' });
    await row.getByText('Dry run', { exact: true }).waitFor();
    await row.getByRole('link').click();
    const changes = page.getByRole('region', { name: 'What the upload would change' });
    await changes.getByRole('rowheader', { name: 'New', exact: true }).waitFor();
    assert.equal(await changes.getByRole('link').count(), 0);
    const accounts = page.getByRole('region', { name: '1 new account to bill' });
    await accounts.getByText('Dry run name').waitFor();
    assert.ok(page.url().endsWith(id));
    assert.equal(await page.getByRole('link', { name: 'View findings' }).count(), 0);
    await assertAccessible();
    assertQuiet();
  });
});
