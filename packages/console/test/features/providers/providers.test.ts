import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { scanFile } from '../../../../server/test/support/listed-scans.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { record } from '../../../../server/test/support/records.ts';
import { createSecondTenant, type SecondTenant } from '../../../../server/test/support/second-tenant.ts';
import { until } from '../../../../server/test/support/until.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

interface Subscription extends Resource {
  readonly attributes: { readonly providers: number };
}

describe('providers page', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  let other: SecondTenant;
  let ingestion: string;
  const idOf = async (account: string): Promise<string | undefined> =>
    (await client.get<Resource[]>(`/providers?filter[account]=${encodeURIComponent(account)}`)).body.data[0]
      ?.id;
  const countBillable = async () =>
    (await client.get<Subscription>('/subscription')).body.data.attributes.providers;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    other = await createSecondTenant(service);
    await other.client.ingest(scanFile([['aws/999', null, 1, 0, 0]]));
    ({ id: ingestion } = await client.ingest([
      ...scanFile([
        ['aws/111', 'a', 2, 1, 1],
        ['gcp/333', 'a', 0, 4, 0],
        ['aws/222', 'a', 1, 0, 0],
      ]),
      record({
        cloud: { provider: 'azure', account: { uid: '<i>444</i>', name: '<img src=x onerror=alert(1)>' } },
      }),
    ]));
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  it('lists providers with their finding counts, and renders names as text', async () => {
    const console = await openConsole(browser, service, { path: '/providers' });
    const { page, assertQuiet } = console;
    await page.getByText('4 providers').waitFor();
    const rows = (await readRows(page, 'Providers')).map((cells) => cells.slice(0, 6));
    assert.deepEqual(rows, [
      ['AWS', '111', '–', '–', '4', '2'],
      ['AWS', '222', '–', '–', '1', '1'],
      ['Azure', '<i>444</i>', '<img src=x onerror=alert(1)>', '–', '1', '1'],
      ['Google Cloud', '333', '–', '–', '4', '0'],
    ]);
    const id = await idOf('111');
    for (const [name, search] of [
      ['4 findings in 111', `?provider=${id}`],
      ['2 failing findings in 111', `?provider=${id}&status=FAIL&muted=false`],
    ] as const)
      assert.equal(
        await page.getByRole('link', { name, exact: true }).getAttribute('href'),
        `/findings${search}`,
      );
    await assertAccessibleInAllModes(console);
    assertQuiet();
  });

  itInWholeRun('keeps the filters and sort order of the provider list in the URL', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, {
      path: '/providers?provider_type=aws&sort=-account',
    });
    await page.getByText('2 providers').waitFor();
    const accounts = async () => (await readRows(page, 'Providers')).map(([, account]) => account);
    assert.deepEqual(await accounts(), ['222', '111']);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'account');
    await until(async () => (await accounts())[0] === '111');
    await page.getByLabel('Search accounts, names and aliases').fill('22');
    await page.getByText('1 provider', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('2 providers').waitFor();
    assert.deepEqual(await accounts(), ['222', '111']);
    assert.equal(new URL(page.url()).search, '?provider_type=aws&sort=-account');
    await page.getByRole('button', { name: 'Type 1 selected' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'AWS' }).click();
    await page.getByText('4 providers').waitFor();
    await page.goto(`${service.url}/providers?provider_type=none&sort=size&page=-1`);
    await page.getByRole('heading', { name: 'No providers match these filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByText('4 providers').waitFor();
    assertQuiet();
  });

  itInWholeRun("sets and removes a provider's alias and shows validation errors", async () => {
    const console = await openConsole(browser, service, { path: '/providers' });
    const { page, assertQuiet } = console;
    const aliasOf = async (account: string) =>
      (await readRows(page, 'Providers')).find((cells) => cells[1] === account)?.[3];
    await page.getByRole('button', { name: 'Edit alias for 111' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit alias for 111' });
    await dialog.getByLabel('Alias').fill('x'.repeat(101));
    await page.keyboard.press('Enter');
    await dialog.getByText(/1 to 100 characters/).waitFor();
    assert.equal(await dialog.getByLabel('Alias').getAttribute('aria-invalid'), 'true');
    await assertAccessibleInAllModes(console);
    await dialog.getByLabel('Alias').fill('<b>Team & Söhne</b>');
    await dialog.getByRole('button', { name: 'Save alias' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => (await aliasOf('111')) === '<b>Team & Söhne</b>');
    const { attributes } = (await client.get<Resource>(`/providers/${await idOf('111')}`)).body.data;
    assert.equal(attributes.alias, '<b>Team & Söhne</b>');
    await page.getByRole('button', { name: 'Edit alias for 111' }).click();
    await dialog.getByLabel('Alias').fill('');
    await dialog.getByRole('button', { name: 'Save alias' }).click();
    await until(async () => (await aliasOf('111')) === '–');
    assertQuiet();
  });

  if (isWholeRun)
    it('explains that changing providers requires manage_providers', async () => {
      await createUser(service, service.tenantId, 'reader@example.com', 'read_findings');
      const key = await createKey(service, service.tenantId, 'reader@example.com');
      const { page, assertQuiet } = await openConsole(browser, service, { path: '/providers', key });
      for (const [open, act] of [
        ['Edit alias for 111', 'Save alias'],
        ['Delete provider 111', 'Delete provider'],
      ] as const) {
        await page.getByRole('button', { name: open, exact: true }).click();
        await page.getByRole('button', { name: act, exact: true }).click();
        await page.getByText('Permission denied').waitFor();
        await page.getByText(/manage_providers/).waitFor();
        await page.getByRole('button', { name: 'Cancel' }).click();
      }
      assert.equal(await countBillable(), 4);
      assertQuiet();
    });

  it('deletes a provider, keeps its uploads and files, and counts it again after a new upload', async () => {
    const before = await countBillable();
    const id = await idOf('222');
    const console = await openConsole(browser, service, { path: '/subscription' });
    const { page, assertQuiet } = console;
    await page.getByRole('link', { name: 'AWS' }).click();
    await page.getByText('2 providers').waitFor();
    await page.getByRole('button', { name: 'Delete provider 222' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete AWS 222?' });
    await dialog
      .getByText(/1 finding \(1 failing\)\. Your subscription will count one fewer provider/)
      .waitFor();
    await dialog.getByText(/Uploads and their files are kept\./).waitFor();
    await assertAccessibleInAllModes(console);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await countBillable(), before);
    await page.getByRole('button', { name: 'Delete provider 222' }).click();
    await dialog.getByRole('button', { name: 'Delete provider' }).click();
    await page.getByText('1 provider', { exact: true }).waitFor();
    assert.equal(await countBillable(), before - 1);
    assert.equal((await client.get(`/providers/${id}`)).status, 404);
    assert.equal((await client.get(`/ingestions/${ingestion}`)).status, 200);
    assert.equal((await client.file(ingestion)).status, 200);
    await page.getByRole('link', { name: 'subscription', exact: true }).click();
    await page
      .getByText(String(before - 1), { exact: true })
      .first()
      .waitFor();
    await client.ingest(scanFile([['aws/222', 'b', 1, 0, 0]]));
    assert.equal(await countBillable(), before);
    assert.notEqual(await idOf('222'), id);
    assertQuiet();
  });

  if (isWholeRun)
    it('explains to a tenant without providers how providers are added', async () => {
      const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', 'Fresh');
      await createUser(service, id, 'fresh@example.com');
      const key = await createKey(service, id, 'fresh@example.com');
      const console = await openConsole(browser, service, { path: '/providers', key });
      await console.page.getByRole('heading', { name: 'No providers yet' }).waitFor();
      await assertAccessibleInAllModes(console);
      console.assertQuiet();
    });
});
