import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { type SeededScans, scanFile, seedScans } from '../../../../server/test/support/listed-scans.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { createSecondTenant, type SecondTenant } from '../../../../server/test/support/second-tenant.ts';
import { until } from '../../../../server/test/support/until.ts';
import { providerTypeLabel } from '../../../src/lib/provider-type-label.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

describe('scans pages', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  let other: SecondTenant;
  let seeded: SeededScans;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    other = await createSecondTenant(service);
    seeded = await seedScans(service, client, other.client);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  it('lists the scans of all accounts, newest first, with correct counts', async () => {
    const console = await openConsole(browser, service, { path: '/scans' });
    const { page, assertQuiet } = console;
    await page.getByText('9 scans').waitFor();
    const rows = await readRows(page, 'Scans');
    assert.equal(rows.length, seeded.all.length);
    const shown = rows.map(([account, , file, records]) => [account, file, records]).map(String);
    const expected = seeded.all.map(({ account, type, file, records }) =>
      String([`${account} ${providerTypeLabel(type)}`, file, records]),
    );
    assert.deepEqual(shown.toSorted(), expected.toSorted());
    assert.match(shown[0] ?? '', /plain\.json/);
    assert.match(shown.at(-1) ?? '', /100% done\.json/);
    // aws/222 in Snake_Case.json has one failing finding and three muted findings.
    const [muted] = rows.filter(([account, , file]) => account === '222 AWS' && file === 'Snake_Case.json');
    assert.deepEqual(muted?.slice(4), ['4 Fail 0 Manual 0 Pass', 'H 1 High', '4 new']);
    await assertAccessibleInAllModes(console);
    assertQuiet();
  });

  itInWholeRun('keeps the filters, sort order and page of the scan list in the URL', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, {
      path: '/scans?provider_type=aws&uid=night-1,night-3&sort=-records&color=blue&provider=nonsense&from=yesterday',
    });
    await page.getByText('3 scans').waitFor();
    const recordsOf = async () =>
      (await readRows(page, 'Scans')).map(([account, , , records]) => [account, records]);
    assert.deepEqual((await recordsOf()).toSorted(), [
      ['111 AWS', '4'],
      ['111 AWS', '4'],
      ['222 AWS', '4'],
    ]);
    const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');
    assert.deepEqual((await chips.allInnerTexts()).slice(0, -1), [
      'Provider type: AWS',
      'Scan ID: night-1',
      'Scan ID: night-3',
    ]);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitemcheckbox', { name: '222' }).click();
    await page.waitForURL((url) => url.searchParams.get('account') === '222');
    await page.getByText('1 scan', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.getByText('3 scans').waitFor();
    await page.getByRole('button', { name: 'Remove filter Scan ID: night-3' }).click();
    await page.getByText('1 scan', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('uid'), 'night-1');
    await page.goBack();
    await page.getByText('3 scans').waitFor();
    await page.getByRole('button', { name: 'Uploaded' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === null);
    await page.getByLabel('Search accounts, scan IDs and files').fill('no such file');
    await page.getByRole('heading', { name: 'No scans match these filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).first().click();
    await page.getByText('9 scans').waitFor();
    assert.equal(new URL(page.url()).search, '');
    await page.getByLabel('Uploaded from (UTC)').fill('2026-03-01');
    await page.getByLabel('Uploaded until (UTC)').fill('2026-03-01');
    await page.getByText('4 scans').waitFor();
    await page.getByRole('button', { name: 'Failing by severity' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === '-failed');
    await until(async () => (await readRows(page, 'Scans'))[0]?.[5] === 'H 3 High');
    await page.reload();
    await page.getByText('4 scans').waitFor();
    assert.equal((await readRows(page, 'Scans'))[0]?.[5], 'H 3 High');
    assertQuiet();
  });

  if (isWholeRun)
    it('reports that a page is past the end of the scan list and links to the first page', async () => {
      const { page } = await openConsole(browser, service, { path: '/scans?page=7' });
      await page.getByRole('heading', { name: 'No items on this page' }).waitFor();
      await page.getByRole('button', { name: 'Go to first page' }).click();
      await page.getByText('9 scans').waitFor();
    });

  it('shows a scan with its counts, its changes, links to findings and the previous scan', async () => {
    const latest = seeded.all.find(
      ({ uid, type, account }) => uid === 'night-3' && type === 'aws' && account === '111',
    );
    const previous = seeded.all.find(({ file, account }) => file === 'snake-case.json' && account === '111');
    assert.ok(latest !== undefined && previous !== undefined);
    const console = await openConsole(browser, service, { path: '/scans' });
    const { page, assertQuiet } = console;
    await page
      .getByRole('row', { name: /^111 AWS.*plain\.json/ })
      .getByRole('link', { name: '111' })
      .click();
    await page.getByRole('heading', { name: 'Scan of 111', level: 1 }).waitFor();
    assert.equal(page.url(), `${service.url}/scans/${latest.id}`);
    const { attributes } = (await client.get<Resource>(`/scans/${latest.id}`)).body.data;
    for (const [name, value] of [
      ['Records', attributes.records],
      ['Failing (not muted)', attributes.failed],
      ['Muted', attributes.muted],
      ['Regressed', 0],
      ['New', 0],
      ['Reopened', 0],
      ['Fixed', 1],
      ['Resolved', 0],
      ['Unchanged', 3],
    ]) {
      const figure = page.locator('dl > div').filter({ has: page.getByText(String(name), { exact: true }) });
      await figure.getByText(String(value), { exact: true }).waitFor();
    }
    assert.deepEqual(await readRows(page, 'Records by status'), [
      ['Fail', '2', '50%'],
      ['Manual', '0', '0%'],
      ['Pass', '2', '50%'],
    ]);
    for (const [name, search] of [
      ['View all findings', `?scan=${latest.id}`],
      ['View failing findings', `?scan=${latest.id}&status=FAIL&muted=false`],
      ['View fixed findings', `?fixed_in=${latest.id}&state=open,resolved`],
      ['View unchanged findings', `?unchanged_in=${latest.id}&state=open,resolved`],
    ] as const) {
      const link = page.getByRole('link', { name, exact: true });
      assert.equal(await link.getAttribute('href'), `/findings${search}`);
    }
    assert.equal(await page.getByRole('link', { name: 'View regressed findings' }).count(), 0);
    await page.getByText(/The links show current findings/).waitFor();
    assert.deepEqual((await readRows(page, 'Comparison with the previous scan'))[1], [
      'Failing (not muted)',
      '3',
      '2',
      '-1',
    ]);
    await assertAccessibleInAllModes(console);
    await page.getByRole('link', { name: /^Uploaded / }).click();
    await page.waitForURL(`${service.url}/scans/${previous.id}`);
    assertQuiet();
  });

  if (isWholeRun)
    it('reports an unknown scan', async () => {
      const { page } = await openConsole(browser, service, {
        path: '/scans/0198a000-0000-7000-8000-000000000009',
      });
      await page.getByText('No scan has this ID.').waitFor();
    });

  itInWholeRun('hides uploaded files on the scans page from a key without manage_ingestions', async () => {
    await createUser(service, service.tenantId, 'reader@example.com', 'read_findings');
    const key = await createKey(service, service.tenantId, 'reader@example.com');
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/scans?account=222', key });
    await page.getByText('2 scans').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'File' }).count(), 0);
    await page.getByRole('link', { name: '222' }).first().click();
    await page.getByText('Requires the manage_ingestions permission').waitFor();
    assertQuiet();
  });

  if (isWholeRun)
    it('shows scans with a notice after the subscription ends', async () => {
      await service.sluiceJson('subscription', 'set', '--tenant', other.id, 'none');
      const { page, assertQuiet } = await openConsole(browser, service, { path: '/scans', key: other.key });
      await page.getByText('1 scan', { exact: true }).waitFor();
      await page.getByText(/no active subscription.*\(402\)/).waitFor();
      assertQuiet();
    });

  if (isWholeRun)
    it('explains how to upload findings and shows the first scan automatically', async () => {
      const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', 'Fresh');
      await createUser(service, id, 'fresh@example.com');
      const key = await createKey(service, id, 'fresh@example.com');
      const console = await openConsole(browser, service, { path: '/scans', key });
      const { page, assertQuiet } = console;
      await page.getByRole('heading', { name: 'No scans yet' }).waitFor();
      await page.getByText(`SCANNER_CLOUD_API_BASE_URL=${service.url} `).waitFor();
      await page.getByText(`${service.url}/api/v1/ingestions`).waitFor();
      await page.getByRole('button', { name: 'Copy curl command' }).waitFor();
      await assertAccessibleInAllModes(console);
      await client.as(key).ingest(scanFile([['aws/<b>x<b>', 'first', 1, 1, 0]]));
      await page.getByRole('link', { name: '<b>x<b>' }).waitFor();
      await page.getByText('1 scan', { exact: true }).waitFor();
      assertQuiet();
    });
});
