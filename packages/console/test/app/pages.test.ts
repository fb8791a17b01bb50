import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { generateRecord } from '../../../../tools/findings-generator/src/index.ts';
import { createClient } from '../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../server/test/support/find-browser.ts';
import { joinService, type SharedService } from '../../../server/test/support/lanes.ts';
import { PAGES } from '../../src/app/pages.ts';
import { closeConsoles, openConsole } from '../support/browser.ts';
import { startBrowser } from '../support/start-browser.ts';

/** Of the code of the first page, compressed, in bytes. */
const FIRST_PAGE_MAX_BYTES = 200_000;
/** Cumulative Layout Shift, beyond which people notice (Web Vitals: 0.1 is still good). */
const MAX_SHIFT = 0.02;

describe('all pages of the console', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  /** With the id of something that there is. */
  let addresses: readonly string[];
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
    addresses = PAGES.map((page) => page.replace(':id', ids.get(page) ?? ''));
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const settled = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  };

  it('have a title, one heading, a stable layout, and requests to the service only', async () => {
    const titles = new Set<string>();
    for (const path of addresses) {
      const { page, assertQuiet } = await openConsole(browser, service, { path, fresh: true });
      await settled(page);
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path);
      assert.match(await page.title(), /^.+ · Sluice$/);
      titles.add(await page.title());
      const shift = await layoutShiftOf(page);
      assert.ok(shift <= MAX_SHIFT, `${path} has moved by ${shift}`);
      assertQuiet();
      await closeConsoles(browser);
    }
    assert.equal(titles.size, PAGES.length);
  });

  it('load less JavaScript at first than their budget', async () => {
    const { page } = await openConsole(browser, service);
    await settled(page);
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const scripts = names.filter((name) => name.endsWith('.js'));
    assert.ok(scripts.length > 3);
    let bytes = 0;
    for (const script of scripts) {
      // As the weaker of the two codings has it: not every browser is offered the other without TLS.
      const head = await fetch(script, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
      bytes += Number(head.headers.get('content-length'));
    }
    assert.ok(bytes > 50_000 && bytes < FIRST_PAGE_MAX_BYTES, `${bytes} bytes`);
  });

  it('can be reached with the keyboard alone, from sign-in on', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { key: null });
    await page.getByLabel('API key').waitFor();
    await page.keyboard.type(service.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    const tabTo = async (text: string) => {
      for (let tries = 0; tries < 60; tries++) {
        await page.keyboard.press('Tab');
        if ((await focused()).trim() === text) return;
      }
      assert.fail(`${text} is not reached by Tab`);
    };
    for (const name of [
      'Findings',
      'Scans',
      'Ingestions',
      'Providers',
      'API keys',
      'Subscription',
      'Overview',
    ]) {
      await tabTo('Skip to the content');
      await tabTo(name);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      // A new page is read from its start.
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    }
    await tabTo('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('main') !== null), true);
    await tabTo('Sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    assertQuiet();
  });

  it('have a visible link on a phone', async () => {
    const { page } = await openConsole(browser, service, {
      path: '/subscription',
      viewport: { width: 390, height: 844 },
    });
    await settled(page);
    const box = await page.getByRole('link', { name: 'Subscription', exact: true }).boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  });

  it('include a page for unknown URLs', async () => {
    const { page } = await openConsole(browser, service, { path: '/scans/' });
    await settled(page);
    const answer = await fetch(`${service.url}/nowhere`);
    assert.equal(answer.status, 404);
    await page.evaluate(() => history.pushState({}, '', 'nowhere'));
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});

/** How much of what was shown has moved since the page was opened (Layout Instability API). */
async function layoutShiftOf(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += 'value' in entry ? Number(entry.value) : 0;
        }).observe({ type: 'layout-shift', buffered: true });
        // What was buffered is told within a frame.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}
