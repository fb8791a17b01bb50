import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { type SeededScans, scanFile, seedScans } from '../../../../server/test/support/listed-scans.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { createSandbox } from '../../../../server/test/support/sandbox.ts';
import { createSecondTenant, type SecondTenant } from '../../../../server/test/support/second-tenant.ts';
import type { Service } from '../../../../server/test/support/service.ts';
import { until } from '../../../../server/test/support/until.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { rowsOf } from '../../support/rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('the scans pages', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let browser: Browser;
  let client: Client;
  let other: SecondTenant;
  let seeded: SeededScans;
  before(async () => {
    [service, browser] = await Promise.all([sandbox.startService({ SLUICE_WORKERS: '1' }), startBrowser()]);
    client = createClient(service.url, service.key);
    other = await createSecondTenant(service);
    seeded = await seedScans(service, client, other.client);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await sandbox.clear();
  });

  it('lists scans of all accounts newest first, with counts as in the files', async () => {
    const console = await openConsole(browser, service, { path: '/scans' });
    const { page, assertQuiet } = console;
    await page.getByText('9 scans').waitFor();
    const rows = await rowsOf(page, 'Scans');
    assert.equal(rows.length, seeded.all.length);
    const shown = rows.map(([account, , file, records]) => [account, file, records]).map(String);
    const wanted = seeded.all.map(({ account, type, file, records }) =>
      String([`${account} ${type}`, file, records]),
    );
    assert.deepEqual(shown.toSorted(), wanted.toSorted());
    assert.match(shown[0] ?? '', /plain\.json/);
    assert.match(shown.at(-1) ?? '', /100% done\.json/);
    // aws/222 of Snake_Case.json: one that fails, three that are muted and would.
    const [muted] = rows.filter(([account, , file]) => account === '222 aws' && file === 'Snake_Case.json');
    assert.deepEqual(muted?.slice(4), ['4 Fail 0 Manual 0 Pass', 'H 1 High', '4', '0']);
    await assertAccessibleInAllModes(console);
    assertQuiet();
  });

  it('keeps filters, order and page of scans in the URL, with Back', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, {
      path: '/scans?provider_type=aws&uid=night-1,night-3&sort=-records&colour=blue&provider=nonsense&from=yesterday',
    });
    await page.getByText('3 scans').waitFor();
    const recordsOf = async () =>
      (await rowsOf(page, 'Scans')).map(([account, , , records]) => [account, records]);
    assert.deepEqual((await recordsOf()).toSorted(), [
      ['111 aws', '4'],
      ['111 aws', '4'],
      ['222 aws', '4'],
    ]);
    const chips = page.getByRole('list', { name: 'Filters in force' }).getByRole('listitem');
    assert.deepEqual((await chips.allInnerTexts()).slice(0, -1), [
      'Type: aws',
      'Scan id: night-1',
      'Scan id: night-3',
    ]);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitemcheckbox', { name: '222' }).click();
    await page.waitForURL((url) => url.searchParams.get('account') === '222');
    await page.getByText('1 scan', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.getByText('3 scans').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Scan id: night-3' }).click();
    await page.getByText('1 scan', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('uid'), 'night-1');
    await page.goBack();
    await page.getByText('3 scans').waitFor();
    await page.getByRole('button', { name: 'Came in' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === null);
    await page.getByLabel('Search accounts, scan ids and files').fill('no such file');
    await page.getByRole('heading', { name: 'No scans match these filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).first().click();
    await page.getByText('9 scans').waitFor();
    assert.equal(new URL(page.url()).search, '');
    await page.getByLabel('Came in, from (UTC)').fill('2026-03-01');
    await page.getByLabel('Came in, to (UTC)').fill('2026-03-01');
    await page.getByText('4 scans').waitFor();
    await page.getByRole('button', { name: 'Failing by severity' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === '-failed');
    await until(async () => (await rowsOf(page, 'Scans'))[0]?.[5] === 'H 3 High');
    await page.reload();
    await page.getByText('4 scans').waitFor();
    assert.equal((await rowsOf(page, 'Scans'))[0]?.[5], 'H 3 High');
    assertQuiet();
  });

  it('reports a page beyond the last one and links back', async () => {
    const { page } = await openConsole(browser, service, { path: '/scans?page=7' });
    await page.getByRole('heading', { name: 'This page is beyond the end of the list' }).waitFor();
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await page.getByText('9 scans').waitFor();
  });

  it('shows a scan with its counts, its findings and the previous scan', async () => {
    const last = seeded.all.find(
      ({ uid, type, account }) => uid === 'night-3' && type === 'aws' && account === '111',
    );
    const earlier = seeded.all.find(({ file, account }) => file === 'snake-case.json' && account === '111');
    assert.ok(last !== undefined && earlier !== undefined);
    const console = await openConsole(browser, service, { path: '/scans' });
    const { page, assertQuiet } = console;
    await page
      .getByRole('row', { name: /^111 aws.*plain\.json/ })
      .getByRole('link', { name: '111' })
      .click();
    await page.getByRole('heading', { name: 'Scan of 111', level: 1 }).waitFor();
    assert.equal(page.url(), `${service.url}/scans/${last.id}`);
    const { attributes } = (await client.get<Resource>(`/scans/${last.id}`)).body.data;
    for (const [name, value] of [
      ['Records', attributes.records],
      ['Failing, not muted', attributes.failed],
      ['New', attributes.new],
      ['Changed status', attributes.changed],
    ]) {
      const figure = page.locator('dl > div').filter({ has: page.getByText(String(name), { exact: true }) });
      await figure.getByText(String(value), { exact: true }).waitFor();
    }
    assert.deepEqual(await rowsOf(page, 'Records by status'), [
      ['Fail', '2', '50%'],
      ['Manual', '0', '0%'],
      ['Pass', '2', '50%'],
    ]);
    for (const [name, search] of [
      ['All findings of the scan', `?scan=${last.id}`],
      ['Failing findings', `?scan=${last.id}&status=FAIL&muted=false`],
      ['New findings', `?scan=${last.id}&delta=new`],
      ['Changed findings', `?scan=${last.id}&delta=changed`],
    ] as const) {
      const link = page.getByRole('link', { name, exact: true });
      assert.equal(await link.getAttribute('href'), `/findings${search}`);
    }
    await page.getByText(/The findings show the state of now/).waitFor();
    assert.deepEqual((await rowsOf(page, 'This scan and the one before'))[1], [
      'Failing, not muted',
      '3',
      '2',
      '-1',
    ]);
    await assertAccessibleInAllModes(console);
    await page.getByRole('link', { name: /^It came in/ }).click();
    await page.waitForURL(`${service.url}/scans/${earlier.id}`);
    assertQuiet();
  });

  it('reports an unknown scan', async () => {
    const { page } = await openConsole(browser, service, {
      path: '/scans/0198a000-0000-7000-8000-000000000009',
    });
    await page.getByText('No scan has this ID.').waitFor();
  });

  it('shows scans without their files to a key that cannot read ingestions', async () => {
    await createUser(service, service.tenantId, 'reader@example.com', 'read_findings');
    const key = await createKey(service, service.tenantId, 'reader@example.com');
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/scans?account=222', key });
    await page.getByText('2 scans').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'File' }).count(), 0);
    await page.getByRole('link', { name: '222' }).first().click();
    await page.getByText('needs the permission manage_ingestions').waitFor();
    assertQuiet();
  });

  it('shows scans after the end of the subscription, with a notice', async () => {
    await service.sluiceJson('subscription', 'set', '--tenant', other.id, 'none');
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/scans', key: other.key });
    await page.getByText('1 scan', { exact: true }).waitFor();
    await page.getByText(/no active subscription.*\(402\)/).waitFor();
    assertQuiet();
  });

  it('explains how to push to a tenant without uploads and shows the first scan by itself', async () => {
    const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', 'Fresh');
    await createUser(service, id, 'fresh@example.com');
    const key = await createKey(service, id, 'fresh@example.com');
    const console = await openConsole(browser, service, { path: '/scans', key });
    const { page, assertQuiet } = console;
    await page.getByRole('heading', { name: 'No scans yet' }).waitFor();
    await page.getByText(`SCANNER_CLOUD_API_BASE_URL=${service.url} `).waitFor();
    await page.getByText(`${service.url}/api/v1/ingestions`).waitFor();
    await page.getByRole('button', { name: 'Copy the curl command' }).waitFor();
    await assertAccessibleInAllModes(console);
    await client.as(key).ingest(scanFile([['aws/<b>x<b>', 'first', 1, 1, 0]]));
    await page.getByRole('link', { name: '<b>x<b>' }).waitFor();
    await page.getByText('1 scan', { exact: true }).waitFor();
    assertQuiet();
  });

  it('keeps the scans on screen during an outage and recovers by itself', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/scans' });
    await page.getByText('9 scans').waitFor();
    await service.end();
    await page.getByRole('button', { name: 'Records' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.getByText('9 scans').waitFor();
    service = {
      ...(await sandbox.startService({ PORT: new URL(service.url).port }, service.dataDir)),
      key: service.key,
    };
    await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
    await until(async () => (await rowsOf(page, 'Scans'))[0]?.[3] === '4');
    assertQuiet();
  });
});
