import { existsSync } from 'node:fs';

/** The browser that Debian packages. The headless shell has the same engine and opens a page in half the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const configured = process.env.SLUICE_TEST_BROWSER;

/** The browser executable for tests; SLUICE_TEST_BROWSER overrides it. */
export const browserPath =
  (configured === undefined ? BROWSERS : [configured]).find((file) => existsSync(file)) ?? '';

/** The `skip` option of tests with a browser: the reason why they cannot run here, or `false`. */
export const withoutBrowser = browserPath === '' && `${configured ?? BROWSERS.join(' or ')} is not installed`;
