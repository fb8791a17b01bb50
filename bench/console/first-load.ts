import type { Browser, Page } from 'playwright-core';
import type { FirstLoad } from './measurements.ts';
import { type SignedIn, withPage } from './signed-in-page.ts';

/** Loads the overview with an empty cache. */
export async function loadFirstPage(browser: Browser, service: SignedIn): Promise<FirstLoad> {
  return await withPage(browser, service, '/', async (page) => {
    await page.getByText(/\d findings$/).waitFor();
    const figuresMs = await page.evaluate(() => performance.now());
    await page.waitForLoadState('networkidle');
    const measured = await page.evaluate(() => {
      const files = performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => !name.includes('/api/'));
      const sum = (of: readonly PerformanceResourceTiming[]) =>
        of.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0);
      return {
        scriptBytes: sum(files.filter(({ name }) => name.endsWith('.js'))),
        bytes: sum(files),
        paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      };
    });
    return { ...measured, figuresMs, layoutShift: await layoutShiftOf(page) };
  });
}

async function layoutShiftOf(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries().map((entry) => ('value' in entry ? Number(entry.value) : 0));
          resolve(shifts.reduce((sum, value) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // The observer is not called if there was no layout shift.
        setTimeout(() => resolve(0), 500);
      }),
  );
}
