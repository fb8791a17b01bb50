import type { Browser, Page } from 'playwright-core';

/** A service, and an API key for the tenant that the console shows. */
export interface SignedIn {
  readonly url: string;
  readonly key: string;
}

/** Opens a console page in a new, signed-in browser context with an empty cache, and closes the context afterwards. */
export async function withPage<Result>(
  browser: Browser,
  { url, key }: SignedIn,
  path: string,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    await context.addInitScript((apiKey) => sessionStorage.setItem('sluice.api-key', apiKey), key);
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    return await work(page);
  } finally {
    await context.close();
  }
}
