import type { BrowserContextOptions } from 'playwright-core';

/** How a page is looked at: what has to be right in one of them has to be so in all. */
export const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
