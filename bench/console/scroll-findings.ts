import type { Browser } from 'playwright-core';
import type { Scrolling } from './measurements.ts';
import { type SignedIn, withPage } from './signed-in-page.ts';

/** How far a turn of the wheel goes, in pixels, and how many there are, in a row. */
const TURN = 400;
const TURNS = 150;

/** Turns the wheel as fast as frames come, then drags the scroll bar through the whole table, then jumps. */
export async function scrollFindings(browser: Browser, service: SignedIn): Promise<Scrolling> {
  return await withPage(browser, service, '/findings', async (page) => {
    const grid = page.getByRole('grid', { name: 'Findings' });
    await grid.getByRole('row').nth(5).getByRole('link').first().waitFor();
    await page.waitForLoadState('networkidle');
    const rows = Number(await grid.getAttribute('aria-rowcount')) - 1;
    const measured = await grid.evaluate(
      async (scroller, { turn, turns }) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        let longestTaskMs = 0;
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
        });
        observer.observe({ type: 'longtask' });
        let frames = 0;
        const start = performance.now();
        for (let at = 0; at < turns; at++, frames++) {
          scroller.scrollTop += turn;
          await frame();
        }
        const dragged = scroller.scrollHeight / turns;
        for (let at = 0; at < turns; at++, frames++) {
          scroller.scrollTop = at * dragged;
          await frame();
        }
        const seconds = (performance.now() - start) / 1000;
        const jump = performance.now();
        scroller.scrollTop = scroller.scrollHeight / 2;
        await frame();
        const middle = scroller.getBoundingClientRect();
        const isThere = () =>
          document
            .elementFromPoint(middle.left + middle.width / 2, middle.top + middle.height / 2)
            ?.closest('tr')
            ?.querySelector('a')?.textContent;
        while (!isThere()) await frame();
        const jumpMs = performance.now() - jump;
        for (const { duration } of observer.takeRecords()) longestTaskMs = Math.max(longestTaskMs, duration);
        return { longestTaskMs, framesPerSecond: frames / seconds, jumpMs };
      },
      { turn: TURN, turns: TURNS },
    );
    return { rows, ...measured };
  });
}
