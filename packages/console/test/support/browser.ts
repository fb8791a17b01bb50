import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TenantService } from '../../../server/test/support/service.ts';

const require = createRequire(import.meta.url);

/** `color`: runs only the rules whose results depend on the color scheme. */
type AccessibilityRules = 'all' | 'color';

/** An open console without stored state from other tests. */
export interface Console {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails if the page logged errors or warnings, or sent requests to other origins. */
  readonly assertQuiet: () => void;
  /** Fails if axe finds accessibility violations on the current page (WCAG 2.2 A and AA). */
  readonly assertAccessible: (rules?: AccessibilityRules) => Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Default: `/`. */
  readonly path?: string;
  /** The API key to sign in with, or `null` to stay signed out. Default: the service's key. */
  readonly key?: string | null;
  /** Opens a new window, for tests that need a cold cache or make changes that `closeConsoles` cannot undo. */
  readonly fresh?: boolean;
}

/** Tests reuse windows, because a reload takes less than half the CPU time of a new window. */
interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  readonly options: BrowserContextOptions;
  /** Windows with the same key are interchangeable. A window without a key is not reused. */
  readonly reuseKey: string | undefined;
}

/** Browser messages to ignore, because the browser logs every error response. */
const EXPECTED_MESSAGES = /^Failed to load resource: /;
const VIEWPORT = { width: 1280, height: 800 };

/** The windows of each browser that are in use (`used`) or can be reused (`idle`). */
const windows = new WeakMap<Browser, { readonly used: Set<Window>; readonly idle: Set<Window> }>();

function windowsOf(browser: Browser) {
  const known = windows.get(browser) ?? { used: new Set(), idle: new Set() };
  windows.set(browser, known);
  return known;
}

/** Closes the test's windows, or resets them for the next test. Call this in `afterEach`. */
export async function closeConsoles(browser: Browser): Promise<void> {
  const { used, idle } = windowsOf(browser);
  const ended = [...used];
  used.clear();
  await Promise.all(
    ended.map(async (window) => {
      const { context, page, url, options, reuseKey } = window;
      if (reuseKey === undefined || page.isClosed() || context.pages().length > 1) {
        await context.close();
        return;
      }
      page.removeAllListeners();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
      await page.setViewportSize(options.viewport ?? VIEWPORT);
      await context.clearCookies();
      // Opens a page without scripts, because the console would continue to poll and store data during the next test.
      await page.goto(`${url}/health/live`);
      idle.add(window);
    }),
  );
}

export async function openConsole(
  browser: Browser,
  service: Pick<TenantService, 'url' | 'key'>,
  { path = '/', key = service.key, fresh = false, ...options }: OpenOptions = {},
): Promise<Console> {
  const reuseKey = fresh ? undefined : JSON.stringify([service.url, options]);
  const { used, idle } = windowsOf(browser);
  const known = [...idle].find((window) => window.reuseKey === reuseKey);
  if (known !== undefined) {
    idle.delete(known);
    await known.page.evaluate(resetState, key);
  }
  const window = known ?? (await newWindow(browser, service.url, key, options, reuseKey));
  used.add(window);
  const { page, context } = window;
  let problems: string[] = [];
  // Ignores messages from the previous test's page.
  page.once('framenavigated', () => {
    problems = [];
  });
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !EXPECTED_MESSAGES.test(text)) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(service.url).origin && protocol !== 'blob:')
      problems.push(`requested ${request.url()}`);
  });
  await page.goto(`${service.url}${path}`);
  return {
    page,
    context,
    assertQuiet: () => assert.deepEqual(problems, []),
    assertAccessible: (rules) => assertAccessible(page, rules),
  };
}

async function newWindow(
  browser: Browser,
  url: string,
  key: string | null,
  options: BrowserContextOptions,
  reuseKey: string | undefined,
): Promise<Window> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...options });
  await context.addInitScript(signIn, key);
  return { context, page: await context.newPage(), url, options, reuseKey };
}

/** Signs in before the page's scripts run, but only once per tab, so that tests can sign out. */
function signIn(key: string | null): void {
  if (sessionStorage.getItem('test.signed-in') !== null) return;
  sessionStorage.setItem('test.signed-in', 'yes');
  if (key !== null) sessionStorage.setItem('sluice.api-key', key);
}

/** Signs in on a reused page and clears the state of the previous test. */
function resetState(key: string | null): void {
  localStorage.clear();
  sessionStorage.clear();
  sessionStorage.setItem('test.signed-in', 'yes');
  if (key !== null) sessionStorage.setItem('sluice.api-key', key);
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

const AXE = readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

async function assertAccessible(page: Page, rules: AccessibilityRules = 'all'): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await AXE);
  // Waits until elements have finished moving or fading in.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  // Menus and tooltips are rendered outside the landmarks. axe only accepts that for dialogs.
  const outside = ':not([data-base-ui-portal], [data-base-ui-portal] *)';
  await page.evaluate(`axe.configure({ rules: [{ id: 'region', selector: 'body *${outside}' }] })`);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const runOnly =
    rules === 'color' ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } : tags;
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })`,
  )) as AxeResults;
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
  );
  assert.deepEqual(found, []);
}
