import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('retrying an upload in the console', { skip: withoutBrowser }, () => {
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

  it('ingests the file of a failed upload again with the entered defaults, and opens the new upload', async () => {
    const { id } = await client.ingest([record({ cloud: null })], { fileName: 'cluster.ocsf.json' });
    const console = await openConsole(browser, service, { path: `/ingestions/${id}` });
    const { page, assertQuiet, assertAccessible } = console;
    await page.getByRole('button', { name: 'Retry upload' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry upload' });
    await dialog.getByLabel('Default provider').fill('kubernetes');
    await dialog.getByLabel('Default account').fill('cluster-1');
    await assertAccessible();
    await dialog.getByRole('button', { name: 'Retry upload' }).click();
    await page.waitForURL((url) => url.pathname.includes('/ingestions/') && !url.pathname.endsWith(id));
    await page.getByRole('heading', { name: 'cluster.ocsf.json', level: 1 }).waitFor();
    const newId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { attributes } = await client.ended(newId);
    // The status and the label of the time.
    await page.getByRole('region', { name: 'Summary' }).getByText('Completed').nth(1).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Retry upload' }).count(), 0);
    assert.deepEqual(attributes.summary, { total: 1, processed: 1, invalid: 0 });
    const { body } = await client.get<unknown[]>('/providers?filter[account]=cluster-1');
    assert.equal(body.data.length, 1);
    assertQuiet();
  });

  itInWholeRun('shows errors next to their fields and in the dialog', async () => {
    const { id } = await client.ingest([record({ cloud: null })]);
    const { page, assertAccessible } = await openConsole(browser, service, { path: `/ingestions/${id}` });
    await page.getByRole('button', { name: 'Retry upload' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry upload' });
    await dialog.getByLabel('Default provider').fill('p'.repeat(101));
    await dialog.getByRole('button', { name: 'Retry upload' }).click();
    await dialog.getByText('The value is longer than 100 characters').waitFor();
    await assertAccessible();
    await service.sql('update ingestions set blob_removed_at = now() where id = $1', [id]);
    await dialog.getByLabel('Default provider').fill('kubernetes');
    await dialog.getByRole('button', { name: 'Retry upload' }).click();
    await dialog.getByText(/was removed after its retention period/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await service.sql('update ingestions set blob_removed_at = null where id = $1', [id]);
  });
});
