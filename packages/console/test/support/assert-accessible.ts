import assert from 'node:assert/strict';
import { isWholeRun } from '../../../server/test/support/is-whole-run.ts';
import type { Console } from './browser.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/**
 * Fails if the current page is not accessible in light mode, in dark mode or on a phone. On a phone, axe runs only in the
 * release lane; the other lanes check that nothing overflows.
 */
export async function assertAccessibleInAllModes({ page, assertAccessible }: Console): Promise<void> {
  for (const [colorScheme, size, rules] of [
    ['dark', WIDE, 'color'],
    ['light', PHONE, isWholeRun ? 'all' : undefined],
    ['light', WIDE, 'all'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    if (rules !== undefined) await assertAccessible(rules);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(
      overflow <= 0,
      `The page overflows horizontally by ${overflow} px at a width of ${size.width} px`,
    );
  }
}
