import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** The permissions of a window that `copyWith` needs. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

/**
 * Clicks a copy button and returns the copied text. Waits for the result from before the click, because the button shows
 * it for only two seconds, which a click on a busy machine can take.
 */
export async function copyWith(page: Page, name: string): Promise<string> {
  const button = await page.getByRole('button', { name, exact: true }).elementHandle();
  assert.ok(button);
  const isCopied = (element: Node) =>
    element instanceof HTMLElement && [element.innerText, element.ariaLabel].includes('Copied');
  await Promise.all([page.waitForFunction(isCopied, button), button.click()]);
  return await readClipboard(page);
}

export async function readClipboard(page: Page): Promise<string> {
  return await page.evaluate(() => navigator.clipboard.readText());
}
