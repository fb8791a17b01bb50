import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { browserPath } from '../../../server/test/support/find-browser.ts';

/** Where the global setup of a run puts the address of its browser, for the test files, which inherit the environment. */
const ENDPOINT = 'SLUICE_TEST_BROWSER_ENDPOINT';
// Chromium's own sandbox needs a user who is not root, and its GPU process only draws in software.
const OPTIONS = { executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] };

/** Starts the browser that all files of a run share. */
export async function shareBrowser(): Promise<BrowserServer> {
  const server = await chromium.launchServer(OPTIONS);
  process.env[ENDPOINT] = server.wsEndpoint();
  return server;
}

/** The run's browser, or one of its own where there is none. */
export async function startBrowser(): Promise<Browser> {
  const endpoint = process.env[ENDPOINT];
  return endpoint === undefined ? await chromium.launch(OPTIONS) : await chromium.connect(endpoint);
}
