import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { createSecondTenant, type SecondTenant } from '../../../../server/test/support/second-tenant.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { CLIPBOARD, copyWith } from '../../support/clipboard.ts';
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

const DAY_MS = 86_400_000;
const prefixOf = (key: string) => key.split('.')[0] ?? '';

describe('API keys page', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  let other: SecondTenant;
  let limited: string;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    other = await createSecondTenant(service);
    await createUser(service, service.tenantId, 'pipeline@example.com', 'manage_ingestions,manage_account');
    limited = await createKey(
      service,
      service.tenantId,
      'pipeline@example.com',
      '--permissions',
      'manage_account',
    );
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  /** Submits the completed form, closes the dialog, and returns the new key. */
  const submitDialog = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'API key created' });
    const key = await dialog.locator('pre').innerText();
    await dialog.getByRole('button', { name: "I've saved the key" }).click();
    await dialog.waitFor({ state: 'detached' });
    return key;
  };

  it("lists the tenant's API keys with users and permissions, and marks the current key", async () => {
    const console = await openConsole(browser, service, { path: '/api-keys' });
    const { page, assertQuiet } = console;
    await page.getByText('2 keys').waitFor();
    const rows = (await readRows(page, 'API keys')).map((cells) => cells.slice(0, 3));
    assert.deepEqual(rows, [
      [`Created by operator ${prefixOf(limited)}`, 'pipeline@example.com', 'manage_account'],
      [
        `Created by operator Current key ${prefixOf(service.key)}`,
        'admin@localhost',
        "All of the user's permissions",
      ],
    ]);
    assert.ok(!(await page.content()).includes(prefixOf(other.key)));
    await assertAccessibleInAllModes(console);
    assertQuiet();
  });

  it('creates an API key with the chosen permissions and shows it once', async () => {
    const console = await openConsole(browser, service, {
      path: '/api-keys',
      ...CLIPBOARD,
    });
    const { page, assertQuiet } = console;
    await page.getByRole('link', { name: 'Subscription' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Enter a name').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('<b>nightly</b>');
    await page.getByLabel('Expiration', { exact: true }).selectOption('30 days');
    await page.getByLabel('Selected permissions only').check();
    await page.getByText('No permissions selected. The key can only read limits').waitFor();
    await page.getByLabel(/^read_findings/).check();
    await page.getByLabel(/^manage_providers/).check();
    await assertAccessibleInAllModes(console);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'API key created' });
    const key = await dialog.locator('pre').innerText();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.goBack();
    assert.equal(await dialog.locator('pre').innerText(), key);
    // The browser shows the previous URL until the console has prevented the navigation.
    await page.waitForURL('**/api-keys');
    assert.equal(await copyWith(page, 'Copy key'), key);
    await assertAccessibleInAllModes(console);
    await dialog.getByRole('button', { name: "I've saved the key" }).click();
    await page.getByText('<b>nightly</b>').waitFor();
    assert.ok(!(await page.content()).includes(key));
    assert.equal((await client.as(key).get('/findings')).status, 200);
    assert.equal((await client.as(key).get('/ingestions')).status, 401);
    assert.equal((await client.as(key).get('/api-keys')).status, 401);
    const { data } = (await client.get<Resource[]>(`/api-keys?filter[search]=${prefixOf(key)}`)).body;
    assert.deepEqual(data[0]?.attributes.permissions, ['read_findings', 'manage_providers']);
    const days = (Date.parse(String(data[0]?.attributes.expires_at)) - Date.now()) / DAY_MS;
    assert.ok(days > 29.9 && days <= 30, `The key expires in ${days} days`);
    await page.getByRole('link', { name: 'Providers' }).click();
    await page.waitForURL(/\/providers$/);
    assertQuiet();
  });

  itInWholeRun(
    'creates API keys without expiration, with an expiration date, and for another user',
    async () => {
      const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys' });
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('permanent');
      await page.getByLabel('Expiration', { exact: true }).selectOption('No expiration');
      await page.getByRole('combobox', { name: 'User' }).selectOption('pipeline@example.com');
      const permanent = await submitDialog(page);
      assert.equal((await client.as(permanent).get('/ingestions')).status, 200);
      assert.equal((await client.as(permanent).get('/users')).status, 401);
      await page.getByRole('row', { name: /permanent.*pipeline@example\.com.*Never/ }).waitFor();
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('temporary');
      await page.getByLabel('Expiration', { exact: true }).selectOption('Custom date');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Choose a date').waitFor();
      await page.getByLabel('Expiration date').fill('2020-01-31');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Use a time in the future').waitFor();
      await page.getByLabel('Expiration date').fill('2999-01-31');
      await submitDialog(page);
      await page.getByRole('row', { name: /temporary.*admin@localhost.*Jan 31, 2999/ }).waitFor();
      assertQuiet();
    },
  );

  itInWholeRun(
    'hides users and refuses to grant manage_users if the current key lacks manage_users',
    async () => {
      const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys', key: limited });
      await page.getByRole('row', { name: new RegExp(`Current key ${prefixOf(limited)}`) }).waitFor();
      await page.getByText(/this key lacks the manage_ingestions permission/).waitFor();
      assert.equal(await page.getByRole('columnheader', { name: 'User' }).count(), 0);
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('more');
      assert.equal(await page.getByRole('combobox', { name: 'User' }).count(), 0);
      await page.getByLabel('Selected permissions only').check();
      await page.getByLabel(/^manage_users/).check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('alert').getByText('This API key cannot grant manage_users').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      assertQuiet();
    },
  );

  itInWholeRun('explains that managing API keys requires manage_account', async () => {
    await createUser(service, service.tenantId, 'reader@example.com', 'read_findings');
    const key = await createKey(service, service.tenantId, 'reader@example.com');
    const console = await openConsole(browser, service, { path: '/api-keys', key });
    const { page, assertQuiet } = console;
    await page.getByText('Permission denied').waitFor();
    await page.getByText(/manage_account/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create API key' }).count(), 0);
    await assertAccessibleInAllModes(console);
    assertQuiet();
  });

  itInWholeRun('revokes an API key and keeps the status filter in the URL', async () => {
    const key = await createKey(service, service.tenantId, 'pipeline@example.com');
    const console = await openConsole(browser, service, { path: `/api-keys?search=${prefixOf(key)}` });
    const { page, assertQuiet } = console;
    await page.getByText('1 key', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Revoke key ${prefixOf(key)}` }).click();
    const dialog = page.getByRole('alertdialog', { name: `Revoke key ${prefixOf(key)}?` });
    assert.equal(await dialog.getByText('will be signed out').count(), 0);
    await assertAccessibleInAllModes(console);
    assert.equal((await client.as(key).get('/ingestions')).status, 200);
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('cell', { name: /^Revoked/ }).waitFor();
    assert.equal((await client.as(key).get('/ingestions')).status, 401);
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Not revoked' }).click();
    await page.getByRole('heading', { name: 'No keys match these filters' }).waitFor();
    assert.equal(new URL(page.url()).search, `?search=${prefixOf(key)}&revoked=false`);
    await page.goBack();
    await page.getByText('1 key', { exact: true }).waitFor();
    await page.goto(`${service.url}/api-keys?revoked=true,perhaps`);
    await page.getByText('1 key', { exact: true }).waitFor();
    await page.getByText(prefixOf(key)).waitFor();
    assertQuiet();
  });

  it('signs out and shows the reason after the current API key is revoked', async () => {
    const key = await createKey(service, service.tenantId, 'pipeline@example.com');
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys', key });
    await page.getByRole('button', { name: `Revoke key ${prefixOf(key)}` }).click();
    await page.getByText('will be signed out').waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await page.getByText('You revoked the key that you were signed in with.').waitFor();
    assert.equal((await client.as(key).get('/ingestions')).status, 401);
    assertQuiet();
  });
});
