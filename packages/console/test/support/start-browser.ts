import { type Browser, chromium } from 'playwright-core';
import { browserPath } from '../../../server/test/support/find-browser.ts';

/** Starts a browser. A browser shared by all files costs more CPU, because its messages pass through the test runner. */
export async function startBrowser(): Promise<Browser> {
  // The Chromium sandbox does not work as root. The GPU process only renders in software and takes a sixth of the CPU time.
  return await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'],
  });
}
