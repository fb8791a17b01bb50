import { chromium } from 'playwright-core';

const [url, key, path, name, scheme = 'light', width = '1280', height = '800', full = ''] =
  process.argv.slice(2) as string[];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext({
  viewport: { width: Number(width), height: Number(height) },
  colorScheme: scheme as 'light',
});
await context.addInitScript((k) => sessionStorage.setItem('sluice.api-key', k), key);
const page = await context.newPage();
page.on('console', (m) => console.log(m.type(), m.text()));
page.on('pageerror', (e) => console.log(e.stack));
await page.goto(url + path);
await page.waitForLoadState('networkidle');
await page.waitForTimeout(400);
await page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: full !== '' });
await browser.close();
