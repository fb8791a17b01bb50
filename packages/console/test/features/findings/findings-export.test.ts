import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { walkPages } from '../../../../server/test/support/walk-pages.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readDownload } from '../../support/files.ts';
import { startBrowser } from '../../support/start-browser.ts';

/** More findings than fit on two export pages. */
const RECORDS = Array.from({ length: 2600 }, (_, index) =>
  record({
    status_code: index % 4 === 0 ? 'PASS' : 'FAIL',
    finding_info: {
      uid: `finding-${index}`,
      title: index % 3 === 0 ? 'Commas, "quotes"\nand lines' : 'Plain',
    },
    metadata: { event_code: `check_${index % 3}` },
    status_detail: ['=1+1', '+1', '-1', '@x', 'plain'][index % 5],
  }),
);

describe('findings export', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    await client.ingest(RECORDS);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const startExport = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const exportFile = async (page: Page, item: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), startExport(page, item)]);
    return { name: download.suggestedFilename(), text: await readDownload(download) };
  };
  const fetchExpected = async (filter: string) => {
    const first = await client.get<Resource[]>(`/findings?page[size]=1000&page[after]=&sort=id&${filter}`);
    return (await walkPages(service, first, 'next')).flatMap(({ body }) => body.data);
  };

  it('exports all filtered findings as NDJSON', async () => {
    const { page, assertQuiet, assertAccessible } = await openConsole(browser, service, {
      path: '/findings?status=FAIL&sort=status',
    });
    const { name, text } = await exportFile(page, '1,950 findings as NDJSON');
    assert.match(name, /^findings-\d{4}-\d\d-\d\d\.ndjson$/);
    assert.deepEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      (await fetchExpected('filter[status]=FAIL')).map(({ id, attributes }) => ({ id, ...attributes })),
    );
    await page.getByText('1,950 findings exported, sorted by ID.').waitFor();
    await assertAccessible();
    await page.getByRole('button', { name: 'Close' }).last().click();
    assertQuiet();
  });

  it('exports all finding attributes as CSV and escapes formulas', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/findings' });
    const { text } = await exportFile(page, '2,600 findings as CSV');
    const [head = [], ...rows] = readCsv(text);
    assert.equal(head.length, 20);
    const expectedRows = (await fetchExpected('')).map(({ id, attributes }) => {
      const { resource, ...others } = attributes as { resource: Record<string, unknown> };
      const flat: Record<string, unknown> = { id, ...others };
      for (const [name, value] of Object.entries(resource)) flat[`resource_${name}`] = value;
      return head.map((name) => {
        const value = flat[name];
        const cell = Array.isArray(value) ? value.join(';') : String(value ?? '');
        return /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
      });
    });
    assert.deepEqual(rows, expectedRows);
    assert.ok(rows.some((row) => row.includes("'=1+1")));
    assertQuiet();
  });

  it('pauses a findings export for as long as the service requests, and resumes or cancels it', async () => {
    const { page } = await openConsole(browser, service, { path: '/findings' });
    let requests = 0;
    let isLimited = true;
    await page.route(
      (url) => Boolean(url.searchParams.get('page[after]')),
      async (route) => {
        requests += 1;
        if (!isLimited) return await route.continue();
        isLimited = requests < 3;
        await route.fulfill({
          status: 429,
          headers: { 'retry-after': '1' },
          contentType: 'application/vnd.api+json',
          json: {
            errors: [
              { id: '1', status: '429', code: 'rate_limited', title: 'Slow', detail: 'Too many requests' },
            ],
          },
        });
      },
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      startExport(page, '2,600 findings as NDJSON'),
      page.getByText('1,000 of 2,600 findings. Retrying: Too many requests').waitFor(),
    ]);
    assert.equal((await readDownload(download)).trimEnd().split('\n').length, 2600);
    assert.equal(requests, 5);
    await page.keyboard.press('Escape');
    isLimited = true;
    requests = -1000;
    await startExport(page, '2,600 findings as CSV');
    await page.getByText(/1,000 of 2,600 findings/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

/** RFC 4180. */
function readCsv(text: string): string[][] {
  const cells = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g;
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(cells)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') rows.push([]);
  }
  assert.deepEqual(rows.pop(), []);
  return rows;
}
