import type { Browser, Page } from 'playwright-core';
import type { Opening } from './measurements.ts';
import { type SignedIn, withPage } from './signed-in-page.ts';

/** Measures the time from the click on "Findings" until rows with text are painted. */
export async function openFindings(browser: Browser, service: SignedIn): Promise<Opening> {
  return await withPage(browser, service, '/subscription', async (page) => {
    await page.getByRole('link', { name: 'Findings' }).waitFor();
    await page.waitForLoadState('networkidle');
    const firstMs = await clickToRows(page);
    await page.getByRole('link', { name: 'Subscription' }).click();
    await page.getByRole('grid', { name: 'Findings' }).waitFor({ state: 'detached' });
    return { firstMs, secondMs: await clickToRows(page) };
  });
}

/** Times are taken in the page, so communication with the browser is not measured. */
async function clickToRows(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const link = [...document.querySelectorAll('nav a')].find(
          ({ textContent }) => textContent === 'Findings',
        );
        if (!(link instanceof HTMLElement)) return reject(new Error('The page has no link to the findings'));
        const start = performance.now();
        const checkRows = () => {
          const row = document.querySelector('[role=grid] tbody [role=row] a, [role=grid] tbody tr a');
          if (row?.textContent) requestAnimationFrame(() => resolve(performance.now() - start));
          else requestAnimationFrame(checkRows);
        };
        link.click();
        checkRows();
      }),
  );
}
