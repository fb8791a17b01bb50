import assert from 'node:assert/strict';
import type { Console } from './browser.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Fails where what is shown now cannot be used by somebody in the light, in the dark, or on a phone. */
export async function assertAccessibleInAllModes({ page, assertAccessible }: Console): Promise<void> {
  for (const [colorScheme, size, rules] of [
    ['dark', WIDE, 'color'],
    ['light', PHONE, 'all'],
    ['light', WIDE, 'all'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await assertAccessible(rules);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(sideways <= 0, `the page itself scrolls sideways by ${sideways} px at ${size.width} px`);
  }
}
