import { startBrowser } from '../../packages/console/test/support/start-browser.ts';
import { loadFirstPage } from './first-load.ts';
import type { FirstLoad, Measured, Opening, Scrolling } from './measurements.ts';
import { openFindings } from './open-findings.ts';
import { scrollFindings } from './scroll-findings.ts';

// Runs as a separate process, because parts of its code run in the page and are type-checked with the DOM library.
const [url = '', key = '', rounds = '1'] = process.argv.slice(2);
const service = { url, key };
const browser = await startBrowser();
try {
  const [firstLoads, openings, scrollings]: [FirstLoad[], Opening[], Scrolling[]] = [[], [], []];
  for (let round = 0; round < Number(rounds); round++) {
    firstLoads.push(await loadFirstPage(browser, service));
    openings.push(await openFindings(browser, service));
    scrollings.push(await scrollFindings(browser, service));
  }
  console.log(JSON.stringify({ firstLoads, openings, scrollings } satisfies Measured));
} finally {
  await browser.close();
}
