import { type Browser, chromium } from 'playwright-core';
import { browserPath } from '../../../server/test/support/find-browser.ts';

/**
 * Starts a browser. Sharing a browser between test files would use more CPU time, because its messages would pass through
 * the test runner.
 */
export async function startBrowser(): Promise<Browser> {
  // The Chromium sandbox does not work as root. The GPU process would only render in software and use a sixth of the CPU
  // time.
  return await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'],
  });
}
