import type { Browser } from 'playwright-core';
import type { Scrolling } from './measurements.ts';
import { type SignedIn, withPage } from './signed-in-page.ts';

/** Distance of one wheel step, in pixels, and the number of steps. */
const WHEEL_STEP = 400;
const STEPS = 150;

/** Scrolls by one wheel step per frame, then drags the scroll bar through the whole table, then jumps to the middle. */
export async function scrollFindings(browser: Browser, service: SignedIn): Promise<Scrolling> {
  return await withPage(browser, service, '/findings', async (page) => {
    const grid = page.getByRole('grid', { name: 'Findings' });
    await grid.getByRole('row').nth(5).getByRole('link').first().waitFor();
    await page.waitForLoadState('networkidle');
    const rows = Number(await grid.getAttribute('aria-rowcount')) - 1;
    const measured = await grid.evaluate(
      async (scroller, { step, steps }) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        let longestTaskMs = 0;
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
        });
        observer.observe({ type: 'longtask' });
        let frames = 0;
        const start = performance.now();
        for (let at = 0; at < steps; at++, frames++) {
          scroller.scrollTop += step;
          await frame();
        }
        const dragged = scroller.scrollHeight / steps;
        for (let at = 0; at < steps; at++, frames++) {
          scroller.scrollTop = at * dragged;
          await frame();
        }
        const seconds = (performance.now() - start) / 1000;
        const jump = performance.now();
        scroller.scrollTop = scroller.scrollHeight / 2;
        await frame();
        const middle = scroller.getBoundingClientRect();
        const middleRowText = () =>
          document
            .elementFromPoint(middle.left + middle.width / 2, middle.top + middle.height / 2)
            ?.closest('tr')
            ?.querySelector('a')?.textContent;
        while (!middleRowText()) await frame();
        const jumpMs = performance.now() - jump;
        for (const { duration } of observer.takeRecords()) longestTaskMs = Math.max(longestTaskMs, duration);
        return { longestTaskMs, framesPerSecond: frames / seconds, jumpMs };
      },
      { step: WHEEL_STEP, steps: STEPS },
    );
    return { rows, ...measured };
  });
}
