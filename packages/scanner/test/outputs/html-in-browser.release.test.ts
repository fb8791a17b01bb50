import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '../../../console/test/support/start-browser.ts';
import { withoutBrowser } from '../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { toHtml } from '../../src/outputs/html/html.ts';
import { assertAccessible } from './support/assert-accessible.ts';
import { compliance, finding, hostileFindings, scan, variedFindings } from './support/findings.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

describe('HTML report in a browser', {
  skip: withoutBrowser,
}, () => {
  let folder: string;
  let browser: Browser;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-report-'));
    browser = await startBrowser();
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens the report, waits for its script, and records browser messages. */
  async function open(report: string, options: BrowserContextOptions = {}) {
    const path = join(folder, 'report.html');
    await writeFile(path, report);
    const page = await (await browser.newContext({ viewport: DESKTOP, ...options })).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(pathToFileURL(path).href);
    return { page, complaints };
  }
  const shown = (page: Page) => page.locator('#shown').textContent();
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: true }).click();
  const visibleChecks = (page: Page) => page.locator('details.check:visible h3').allTextContents();
  const varied = () => toHtml(variedFindings(), scan(), compliance());

  it("runs the HTML report's script under its Content Security Policy", async () => {
    const { page, complaints } = await open(varied());
    assert.deepEqual(complaints, []);
    assert.equal(await shown(page), '6 of 6 findings shown');
    assert.ok(await page.locator('#filters').isVisible());
  });

  it('runs no scripts from malicious names in the HTML report', async () => {
    const { page, complaints } = await open(toHtml(hostileFindings(), scan(), compliance(hostileFindings())));
    assert.deepEqual(complaints, []);
    assert.equal(await page.title(), 'Directory scan of acme.directory.com');
    const count = hostileFindings().length;
    assert.equal(await shown(page), `${count} of ${count} findings shown`);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('h1').count(), 1);
  });

  it('filters the findings when a summary count is clicked, and shows all findings when it is clicked again', async () => {
    const { page } = await open(varied());
    const failed = page.getByRole('button', { name: /^2 failed/ });
    await failed.click();
    assert.equal(await shown(page), '2 of 6 findings shown');
    assert.equal(await failed.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator(':focus').textContent(), 'Findings');
    assert.ok(!(await page.getByRole('checkbox', { name: 'Pass' }).isChecked()));
    await failed.click();
    assert.equal(await shown(page), '6 of 6 findings shown');
    assert.equal(await failed.getAttribute('aria-pressed'), 'false');
  });

  it('filters the findings when a service count is clicked, and deselects the count when a filter changes', async () => {
    const { page } = await open(varied());
    await page.locator('#search').fill('nothing has this');
    await press(page, '1 High, application: show findings');
    assert.equal(await shown(page), '1 of 6 findings shown');
    assert.deepEqual(await visibleChecks(page), ['The Admin Console requires two factors']);
    assert.equal(await page.locator('#search').inputValue(), '');
    await page.getByRole('checkbox', { name: 'Manual' }).check();
    assert.equal(await shown(page), '2 of 6 findings shown');
    assert.equal(await page.locator('[aria-pressed="true"]').count(), 0);
  });

  itInWholeRun('filters the findings by STIG category and by CIS safeguard', async () => {
    const { page } = await open(varied());
    await press(page, '1 Failed, CAT I (High): show findings');
    assert.deepEqual(await visibleChecks(page), ['The Admin Console requires two factors']);
    await press(
      page,
      '1 Passed, 4.3 Configure Automatic Session Locking on Enterprise Assets: show findings',
    );
    assert.deepEqual(await visibleChecks(page), ['Sessions end after 18 hours']);
    await page.getByRole('button', { name: 'Reset filters' }).click();
    await page.getByText('6 of 6 findings shown').waitFor();
  });

  it('shows passed findings as failed STIG requirements when the configured limit is less strict', async () => {
    const passed = [finding({ status: 'PASS' }), finding({ check: { id: 'other', title: 'Another check' } })];
    const { page } = await open(
      toHtml(passed, scan(), compliance(passed, { maxSessionLifetimeMinutes: 2000 })),
    );
    await press(page, '2 Failed, CAT II (Medium): show findings');
    assert.equal(await shown(page), '2 of 2 findings shown');
    await page.locator('#requirement').selectOption('');
    assert.equal(await shown(page), '1 of 2 findings shown');
    assert.deepEqual(await visibleChecks(page), ['Another check']);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    const viewports = colorScheme === 'light' ? [DESKTOP, PHONE] : [PHONE, DESKTOP];
    for (const viewport of isWholeRun ? viewports : viewports.slice(0, 1)) {
      it(`renders an accessible report in the ${colorScheme} theme at a width of ${viewport.width} pixels`, async () => {
        const { page } = await open(
          toHtml(variedFindings(), scan(), compliance(variedFindings(), { maxSessionLifetimeMinutes: 2000 })),
          { colorScheme, viewport },
        );
        await assertAccessible(page);
        await page.getByRole('button', { name: 'Expand all' }).click();
        await page.getByRole('button', { name: /^2 failed/ }).click();
        await assertAccessible(page);
      });
    }
  }

  it('never scrolls the HTML report horizontally, and keeps table columns readable', async () => {
    const long = finding({
      detail: `Saw ${'x'.repeat(3000)}`,
      resource: { id: 'y'.repeat(400), name: 'z'.repeat(400) },
    });
    const findings = [...variedFindings(), long];
    for (const viewport of [DESKTOP, { width: 768, height: 900 }, PHONE]) {
      const { page } = await open(toHtml(findings, scan(), compliance(findings)), { viewport });
      await page.getByRole('button', { name: 'Expand all' }).click();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
      const widths = await page.evaluate(
        '[...document.querySelectorAll("tbody th, tbody td")].map((cell) => cell.getBoundingClientRect().width)',
      );
      assert.ok(Array.isArray(widths) && widths.length > 50);
      assert.ok(Math.min(...widths) >= 48, `${Math.min(...widths)} at ${viewport.width}`);
      const evidence = page.locator('.findings tbody td:last-child:visible').first();
      assert.ok(
        ((await evidence.boundingBox())?.width ?? 0) >= 280,
        `the details column is too narrow at a width of ${viewport.width}`,
      );
    }
  });

  it('aligns check badges in columns in the HTML report', async () => {
    const { page } = await open(varied());
    const lefts = async (selector: string) =>
      new Set(
        (await Promise.all((await page.locator(selector).all()).map((badge) => badge.boundingBox()))).map(
          (box) => box?.x,
        ),
      ).size;
    assert.equal(await page.locator('.totals .muted').count(), 2);
    for (const badges of ['.totals .fail', '.totals .muted', '.badge.severity'])
      assert.equal(await lefts(badges), 1, badges);
  });
});
