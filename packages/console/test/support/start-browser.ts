import { type Browser, chromium } from 'playwright-core';
import { browserPath } from '../../../server/test/support/find-browser.ts';

/** Starts the browser of one file. One for all files costs more: every message then goes through another process. */
export async function startBrowser(): Promise<Browser> {
  // Chromium's own sandbox needs a user who is not root, and its GPU process only draws in software.
  return await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
}
