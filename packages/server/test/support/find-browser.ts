import { existsSync } from 'node:fs';

/** Debian's. The headless shell has the same engine and opens a page in half the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const wanted = process.env.SLUICE_TEST_BROWSER;

/** The program of the browser that tests use; SLUICE_TEST_BROWSER names another one. */
export const browserPath =
  (wanted === undefined ? BROWSERS : [wanted]).find((file) => existsSync(file)) ?? '';

/** For `describe`: why tests with a browser cannot run here; `false` where they can. */
export const withoutBrowser = browserPath === '' && `${wanted ?? BROWSERS.join(' or ')} is not installed`;
