import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { generateRecord } from '../../../../tools/findings-generator/src/index.ts';
import { createClient } from '../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../server/test/support/lanes.ts';
import { PAGES } from '../../src/app/pages.ts';
import { closeConsoles, openConsole } from '../support/browser.ts';
import { startBrowser } from '../support/start-browser.ts';

/** The budget for the compressed JavaScript of the first page, in bytes. */
const FIRST_PAGE_MAX_BYTES = 200_000;
/** The maximum Cumulative Layout Shift (Web Vitals: up to 0.1 is good). */
const MAX_SHIFT = 0.02;

describe('console pages', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  /** The paths of all pages, with the IDs of existing resources. */
  let paths: readonly string[];
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    const client = createClient(service.url, service.key);
    const { id } = await client.ingest(
      Array.from({ length: 200 }, (_, index) => generateRecord({ accounts: 3, invalidShare: 0.05 }, index)),
    );
    const { body } = await client.get<readonly { readonly id: string }[]>('/scans');
    const ids = new Map([
      ['/ingestions/:id', id],
      ['/scans/:id', body.data[0]?.id ?? ''],
    ]);
    paths = PAGES.map((page) => page.replace(':id', ids.get(page) ?? ''));
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const waitUntilSettled = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  };

  it('gives every page a title, one heading and a stable layout, and only sends requests to the service', async () => {
    const titles = new Set<string>();
    for (const path of paths) {
      const { page, assertQuiet } = await openConsole(browser, service, { path, fresh: isWholeRun });
      await waitUntilSettled(page);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path);
      assert.match(await page.title(), /^.+ · Sluice$/);
      titles.add(await page.title());
      const shift = await measureLayoutShift(page);
      assert.ok(shift <= MAX_SHIFT, `${path} has a layout shift of ${shift}`);
      assertQuiet();
      await closeConsoles(browser);
    }
    assert.equal(titles.size, PAGES.length);
  });

  it('keeps the JavaScript of the initial page load within the size budget', async () => {
    const { page } = await openConsole(browser, service);
    await waitUntilSettled(page);
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const scripts = names.filter((name) => name.endsWith('.js'));
    assert.ok(scripts.length > 3);
    let bytes = 0;
    for (const script of scripts) {
      // Uses gzip, because browsers do not accept Brotli without TLS.
      const head = await fetch(script, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
      bytes += Number(head.headers.get('content-length'));
    }
    assert.ok(bytes > 50_000 && bytes < FIRST_PAGE_MAX_BYTES, `${bytes} bytes`);
  });

  itInWholeRun('can be used from sign-in to every page with the keyboard alone', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { key: null });
    await page.getByLabel('API key').waitFor();
    await page.keyboard.type(service.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        if ((await focused()).trim() === text) return;
      }
      assert.fail(`${text} is not reachable with Tab`);
    };
    // The overview comes last, because it has more elements than `tabTo` passes.
    const others = isWholeRun ? ['Scans', 'Uploads', 'Providers', 'API keys'] : [];
    for (const name of ['Findings', ...others, 'Subscription', 'Overview']) {
      await tabTo('Skip to content');
      await tabTo(name);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      // Screen readers start at the top of the new page.
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    }
    await tabTo('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('main') !== null), true);
    await tabTo('Sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    assertQuiet();
  });

  itInWholeRun('scrolls the active navigation link into view on a phone', async () => {
    const { page } = await openConsole(browser, service, {
      path: '/subscription',
      viewport: { width: 390, height: 844 },
    });
    await waitUntilSettled(page);
    const box = await page.getByRole('link', { name: 'Subscription', exact: true }).boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  });

  it('shows "Page not found" for unknown URLs', async () => {
    const { page } = await openConsole(browser, service, { path: '/scans/' });
    await waitUntilSettled(page);
    const response = await fetch(`${service.url}/nowhere`);
    assert.equal(response.status, 404);
    await page.evaluate(() => history.pushState({}, '', 'nowhere'));
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});

/** Returns the cumulative layout shift since the page was opened (Layout Instability API). */
async function measureLayoutShift(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0;
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are reported within a frame.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}
