import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TenantService } from '../../../server/test/support/service.ts';

const require = createRequire(import.meta.url);

/** `color`: only those whose result another color scheme can change. */
export type AccessibilityRules = 'all' | 'color';

/** A console that is signed in, without anything that other tests have stored. */
export interface Console {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails where the page has complained, or has asked for anything that the service does not serve. */
  readonly assertQuiet: () => void;
  /** Fails where axe finds that somebody could not use what is shown now (WCAG 2.2 A and AA). */
  readonly assertAccessible: (rules?: AccessibilityRules) => Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Default: `/`. */
  readonly path?: string;
  /** Signed in with this API key; `null`: not signed in. Default: the key of the service. */
  readonly key?: string | null;
  /** A window that no test has used: for cold caches, and for changes that `closeConsoles` cannot undo. */
  readonly fresh?: boolean;
}

/** Several tests use a window one after the other: a reload costs less than half the CPU time of a new window. */
interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  readonly options: BrowserContextOptions;
  /** Windows with equal keys can stand in for each other; `undefined`: only one test may use it. */
  readonly reuseKey: string | undefined;
}

/** Console errors that a test brings about on purpose: the browser itself reports each answer that is an error. */
const EXPECTED_MESSAGES = /^Failed to load resource: /;
const VIEWPORT = { width: 1280, height: 800 };

/** The windows of each browser, which tests use now (`used`) or can use again. */
const windows = new WeakMap<Browser, { readonly used: Set<Window>; readonly idle: Set<Window> }>();

function windowsOf(browser: Browser) {
  const known = windows.get(browser) ?? { used: new Set(), idle: new Set() };
  windows.set(browser, known);
  return known;
}

/** For `afterEach`: closes the windows of the test, or resets them for the next one. */
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
      // A page of the same origin without scripts: what the console still polls or stores would reach the next test.
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
    await known.page.evaluate(startOver, key);
  }
  const window = known ?? (await newWindow(browser, service.url, key, options, reuseKey));
  used.add(window);
  const { page, context } = window;
  let complaints: string[] = [];
  // Messages from the page of the previous test do not count.
  page.once('framenavigated', () => {
    complaints = [];
  });
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !EXPECTED_MESSAGES.test(text)) complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(service.url).origin && protocol !== 'blob:')
      complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`${service.url}${path}`);
  return {
    page,
    context,
    assertQuiet: () => assert.deepEqual(complaints, []),
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

/** Runs in the page before its own scripts: as if this tab had been signed in before. Once, or nobody could sign out. */
function signIn(key: string | null): void {
  if (sessionStorage.getItem('test.signed-in') !== null) return;
  sessionStorage.setItem('test.signed-in', 'yes');
  if (key !== null) sessionStorage.setItem('sluice.api-key', key);
}

/** The same for a page that another test has used; removes what that test has stored. */
function startOver(key: string | null): void {
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
  // What moves in or fades in is judged when it is there.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ),
  );
  // Menus and tooltips open outside of the landmarks, as dialogs do, which axe lets pass.
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
