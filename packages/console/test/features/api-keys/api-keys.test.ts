import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { createSandbox } from '../../../../server/test/support/sandbox.ts';
import { createSecondTenant, type SecondTenant } from '../../../../server/test/support/second-tenant.ts';
import type { Service } from '../../../../server/test/support/service.ts';
import { until } from '../../../../server/test/support/until.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { rowsOf } from '../../support/rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

const DAY_MS = 86_400_000;
const prefixOf = (key: string) => key.split('.')[0] ?? '';

describe('the API keys page', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let browser: Browser;
  let client: Client;
  let other: SecondTenant;
  let narrowed: string;
  before(async () => {
    [service, browser] = await Promise.all([sandbox.startService({ SLUICE_WORKERS: '1' }), startBrowser()]);
    client = createClient(service.url, service.key);
    other = await createSecondTenant(service);
    await createUser(service, service.tenantId, 'pipeline@example.com', 'manage_ingestions,manage_account');
    narrowed = await createKey(
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
    await sandbox.clear();
  });

  /** Makes a key in the dialog with what is filled in already, and closes it. */
  const finish = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your new API key' });
    const key = await dialog.locator('pre').innerText();
    await dialog.getByRole('button', { name: 'I have stored the key' }).click();
    await dialog.waitFor({ state: 'detached' });
    return key;
  };

  it('lists the API keys of the tenant with users and permissions, and marks the current one', async () => {
    const console = await openConsole(browser, service, { path: '/api-keys' });
    const { page, assertQuiet } = console;
    await page.getByText('2 keys').waitFor();
    const rows = (await rowsOf(page, 'API keys')).map((cells) => cells.slice(0, 3));
    assert.deepEqual(rows, [
      [`Made by the operator ${prefixOf(narrowed)}`, 'pipeline@example.com', 'manage_account'],
      [`Made by the operator This key ${prefixOf(service.key)}`, 'admin@localhost', 'All of its user'],
    ]);
    assert.ok(!(await page.content()).includes(prefixOf(other.key)));
    await assertAccessibleInAllModes(console);
    assertQuiet();
  });

  it('creates an API key with the chosen permissions and shows it once', async () => {
    const console = await openConsole(browser, service, {
      path: '/api-keys',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page, assertQuiet } = console;
    await page.getByRole('link', { name: 'Subscription' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Give it a name').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('<b>nightly</b>');
    await page.getByLabel('Expires').selectOption('In 30 days');
    await page.getByLabel('Only what is chosen here').check();
    await page.getByText('Nothing is chosen: the key can only read the limits').waitFor();
    await page.getByLabel(/^read_findings/).check();
    await page.getByLabel(/^manage_providers/).check();
    await assertAccessibleInAllModes(console);
    await page.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your new API key' });
    const key = await dialog.locator('pre').innerText();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.goBack();
    assert.equal(await dialog.locator('pre').innerText(), key);
    assert.equal(new URL(page.url()).pathname, '/api-keys');
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    await assertAccessibleInAllModes(console);
    await dialog.getByRole('button', { name: 'I have stored the key' }).click();
    await page.getByText('<b>nightly</b>').waitFor();
    assert.ok(!(await page.content()).includes(key));
    assert.equal((await client.as(key).get('/findings')).status, 200);
    assert.equal((await client.as(key).get('/ingestions')).status, 401);
    assert.equal((await client.as(key).get('/api-keys')).status, 401);
    const { data } = (await client.get<Resource[]>(`/api-keys?filter[search]=${prefixOf(key)}`)).body;
    assert.deepEqual(data[0]?.attributes.permissions, ['read_findings', 'manage_providers']);
    const days = (Date.parse(String(data[0]?.attributes.expires_at)) - Date.now()) / DAY_MS;
    assert.ok(days > 29.9 && days <= 30, `it expires in ${days} days`);
    await page.getByRole('link', { name: 'Providers' }).click();
    await page.waitForURL(/\/providers$/);
    assertQuiet();
  });

  it('creates API keys without expiry, with an expiry date, and for another user', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys' });
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('for ever');
    await page.getByLabel('Expires').selectOption('Never');
    await page.getByRole('combobox', { name: 'User' }).selectOption('pipeline@example.com');
    const forEver = await finish(page);
    assert.equal((await client.as(forEver).get('/ingestions')).status, 200);
    assert.equal((await client.as(forEver).get('/users')).status, 401);
    await page.getByRole('row', { name: /for ever.*pipeline@example\.com.*Never/ }).waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('until then');
    await page.getByLabel('Expires').selectOption('On a date');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Choose a day').waitFor();
    await page.getByLabel('Last day').fill('2020-01-31');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('It must be in the future').waitFor();
    await page.getByLabel('Last day').fill('2999-01-31');
    await finish(page);
    await page.getByRole('row', { name: /until then.*admin@localhost.*Jan 31, 2999/ }).waitFor();
    assertQuiet();
  });

  it('shows no users and no grantable permissions to a key without manage_users', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys', key: narrowed });
    await page.getByRole('row', { name: new RegExp(`This key ${prefixOf(narrowed)}`) }).waitFor();
    await page.getByText(/This key is narrowed and may not manage ingestions/).waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'User' }).count(), 0);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('more');
    assert.equal(await page.getByRole('combobox', { name: 'User' }).count(), 0);
    await page.getByLabel('Only what is chosen here').check();
    await page.getByLabel(/^manage_users/).check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('alert').getByText('This API key cannot grant manage_users').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assertQuiet();
  });

  it('explains to a key without manage_account that it cannot see API keys', async () => {
    await createUser(service, service.tenantId, 'reader@example.com', 'read_findings');
    const key = await createKey(service, service.tenantId, 'reader@example.com');
    const console = await openConsole(browser, service, { path: '/api-keys', key });
    const { page, assertQuiet } = console;
    await page.getByText('This key may not do this').waitFor();
    await page.getByText(/manage_account/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create a key' }).count(), 0);
    await assertAccessibleInAllModes(console);
    assertQuiet();
  });

  it('revokes an API key and keeps the filter for revoked keys in the URL', async () => {
    const key = await createKey(service, service.tenantId, 'pipeline@example.com');
    const console = await openConsole(browser, service, { path: `/api-keys?search=${prefixOf(key)}` });
    const { page, assertQuiet } = console;
    await page.getByText('1 key', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Revoke ${prefixOf(key)}` }).click();
    const dialog = page.getByRole('alertdialog', { name: `Revoke the key ${prefixOf(key)}?` });
    assert.equal(await dialog.getByText('you will be signed out').count(), 0);
    await assertAccessibleInAllModes(console);
    assert.equal((await client.as(key).get('/ingestions')).status, 200);
    await dialog.getByRole('button', { name: 'Revoke this key' }).click();
    await page.getByRole('cell', { name: /^Revoked/ }).waitFor();
    assert.equal((await client.as(key).get('/ingestions')).status, 401);
    await page.getByRole('button', { name: 'State' }).click();
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

  it('signs out when the current API key is revoked, and gives the reason', async () => {
    const key = await createKey(service, service.tenantId, 'pipeline@example.com');
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys', key });
    await page.getByRole('button', { name: `Revoke ${prefixOf(key)}` }).click();
    await page.getByText('you will be signed out').waitFor();
    await page.getByRole('button', { name: 'Revoke this key' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await page.getByText('You have revoked the key that you were signed in with.').waitFor();
    assert.equal((await client.as(key).get('/ingestions')).status, 401);
    assertQuiet();
  });

  it('keeps the list of API keys on screen during an outage and recovers by itself', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/api-keys' });
    await page.getByRole('row', { name: /This key/ }).waitFor();
    await service.end();
    await page.getByRole('button', { name: 'Expires' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.getByRole('row', { name: /This key/ }).waitFor();
    service = {
      ...(await sandbox.startService({ PORT: new URL(service.url).port }, service.dataDir)),
      key: service.key,
    };
    await until(async () => (await rowsOf(page, 'API keys'))[0]?.[0]?.startsWith('until then'));
    assertQuiet();
  });
});
