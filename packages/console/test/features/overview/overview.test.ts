import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { generateRecord } from '../../../../../tools/findings-generator/src/index.ts';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { createTenantKey } from '../../../../server/test/support/deployment.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { makeOlder } from '../../../../server/test/support/learned-times.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { startBrowser } from '../../support/start-browser.ts';

const DAY_S = 86_400;

interface Summary {
  readonly attributes: {
    readonly count: number;
    readonly failed: number;
    readonly by_delta: { readonly new: number; readonly changed: number };
    readonly by_provider: readonly { readonly account: string; readonly failed: number }[];
  };
}

describe('overview page', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  let summary: Summary['attributes'];
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    const now = Math.floor(Date.now() / 1000);
    for (const [daysAgo, seed, failShare, length] of [
      [20, 1, 0.5, 300],
      [3, 2, 0.3, 400],
    ] as const) {
      const options = {
        seed,
        failShare,
        accounts: 3,
        checks: 20,
        resources: 10,
        time: now - daysAgo * DAY_S,
      };
      const records = Array.from({ length }, (_, index) => generateRecord(options, index));
      await client.ingest(records);
      await makeOlder(service, daysAgo === 20 ? 17 * 24 : 3 * 24);
    }
    summary = (await client.get<Summary>('/findings/summary')).body.data.attributes;
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const readFigure = async (page: Page, label: string) => {
    const figure = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: label, exact: true }) });
    await figure.waitFor();
    return (await figure.innerText()).split('\n')[1];
  };

  it('shows the counts of failing, new and changed findings from the API', async () => {
    assert.ok(summary.failed > 50 && summary.by_delta.changed > 10);
    const { page, assertQuiet } = await openConsole(browser, service);
    const numbers = [];
    for (const label of ['Failing findings', 'New', 'Changed']) numbers.push(await readFigure(page, label));
    const { failed, by_delta } = summary;
    assert.deepEqual(numbers, [failed, by_delta.new, by_delta.changed].map(String));
    await page.getByRole('link', { name: 'Changed', exact: true }).click();
    await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
    assert.equal(page.url(), `${service.url}/findings?delta=changed`);
    assertQuiet();
  });

  it('shows failing findings over time as a chart, a sentence and a table', async () => {
    const { page, assertQuiet } = await openConsole(browser, service);
    const chart = page.getByRole('figure', { name: /failing findings in 3 accounts/ });
    await chart.getByText(`${summary.failed} failing findings in 3 accounts`).waitFor();
    await chart.locator('canvas').waitFor({ state: 'attached' });
    // Checks that something was drawn on the canvas, in more than one color.
    const colors = await chart.locator('canvas').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0;
      const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
      const distinct = new Set<string>();
      for (let offset = 0; offset < data.length; offset += 4)
        if (data[offset + 3] === 255) distinct.add(data.slice(offset, offset + 3).join());
      return distinct.size;
    });
    assert.ok(colors >= 3, `${colors} colors`);
    await page.getByText('View as table').click();
    const rows = page.getByRole('region', { name: 'Failing findings by day' }).getByRole('row');
    // The days from the day before the first scan until today, plus the header row.
    await rows.nth(22).waitFor();
    assert.equal(await rows.count(), 23);
    const failing = await rows.nth(1).getByRole('cell').first().innerText();
    assert.equal(failing, String(summary.failed));
    assert.equal(await rows.nth(22).getByRole('cell').first().innerText(), '0');
    assertQuiet();
  });

  it('lists the top failing accounts and checks with links to their findings', async () => {
    const { page, assertQuiet } = await openConsole(browser, service);
    const accounts = page.getByRole('list', { name: 'Failing findings by account' });
    const top = summary.by_provider[0];
    const first = accounts.getByRole('listitem').first();
    await first.waitFor();
    assert.equal(await first.innerText(), `AWS ${top?.account}\n${top?.failed}`);
    const checks = page.getByRole('list', { name: 'Failing findings by check' });
    const items = checks.getByRole('listitem');
    // The checks are loaded by a separate request.
    await items.nth(7).waitFor();
    const counts = (await items.allInnerTexts()).map((text) => Number(text.split('\n')[1]));
    assert.equal(counts.length, 8);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    await checks.getByRole('link').first().click();
    await page.waitForURL(/\/findings\?check=[a-z0-9_]+&provider_type=aws&status=FAIL&muted=false$/);
    assertQuiet();
  });

  it('lists the most severe new failing findings in the latest scans', async () => {
    const { page, assertQuiet } = await openConsole(browser, service);
    const { body } = await client.get<unknown[]>(
      '/findings?filter[delta]=new&filter[status]=FAIL&filter[muted]=false',
    );
    const failing = page.getByRole('region', { name: 'New failing findings' });
    await failing.getByRole('link', { name: `View all ${body.meta.pagination.count}` }).waitFor();
    await failing.getByRole('listitem').nth(4).waitFor();
    assert.equal(await failing.getByRole('listitem').count(), 5);
    await failing.getByRole('listitem').first().getByRole('link').click();
    await page.waitForURL(/\/findings\?delta=new&status=FAIL&muted=false&finding=[0-9a-f-]{36}$/);
    assertQuiet();
  });

  it('lists the latest scans with the counts of their changes, the changes for the worse first', async () => {
    const { page, assertQuiet } = await openConsole(browser, service);
    const { body } = await client.get<readonly Resource[]>('/scans?sort=-inserted_at&page[size]=5');
    const [latest] = body.data;
    const { regressed, new: added, fixed } = latest?.attributes ?? {};
    assert.ok(Number(regressed) > 0 && Number(added) > 0 && Number(fixed) > 0);
    const scans = page.getByRole('region', { name: 'Latest scans' });
    // Each scan has a list of its changes.
    const rows = scans.locator('ul').first().locator(':scope > li');
    await rows.nth(4).waitFor();
    assert.equal(await rows.count(), body.data.length);
    assert.deepEqual(await rows.first().getByRole('listitem').allInnerTexts(), [
      `${regressed} regressed`,
      `${added} new`,
      `${fixed} fixed`,
    ]);
    await rows
      .first()
      .getByRole('link', { name: `${regressed} regressed` })
      .click();
    await page.getByText(`${regressed} findings`, { exact: true }).waitFor();
    assert.equal(page.url(), `${service.url}/findings?regressed_in=${latest?.id}&state=open,resolved`);
    await page.goBack();
    await rows.first().getByRole('link').first().click();
    await page.waitForURL(`${service.url}/scans/${latest?.id}`);
    assertQuiet();
  });

  itInWholeRun('explains to a tenant without findings how to get started', async () => {
    const key = await createTenantKey(service);
    const { page, assertQuiet, assertAccessible } = await openConsole(browser, service, { key });
    await page.getByRole('heading', { name: 'No findings yet' }).waitFor();
    await page.getByRole('button', { name: 'Upload files' }).waitFor();
    await assertAccessible();
    assertQuiet();
  });

  it('shows an accessible overview in light mode, in dark mode and on a phone', async () => {
    const shown = await openConsole(browser, service);
    await shown.page.getByRole('list', { name: 'Failing findings by check' }).waitFor();
    await shown.page.getByText('View as table').click();
    await assertAccessibleInAllModes(shown);
    shown.assertQuiet();
  });

  itInWholeRun('switches the theme and remembers the selected theme', async () => {
    const { page } = await openConsole(browser, service, { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await background(), dark);
  });
});
