import { type Browser, chromium } from 'playwright-core';
import { browserPath } from '../../../server/test/support/find-browser.ts';

/** Starts a browser. A browser shared by all files costs more CPU, because its messages pass through the test runner. */
export async function startBrowser(): Promise<Browser> {
  // Chromium's own sandbox needs a user who is not root. Its GPU process only draws in software: a sixth of the CPU time.
  return await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'],
  });
}
