import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { parseCsvTable } from '../../../../server/test/support/parse-csv.ts';
import { record } from '../../../../server/test/support/records.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';
import { readDownload } from '../../support/files.ts';
import { startBrowser } from '../../support/start-browser.ts';

/** Several chunks in each format. The first line of a cell that contains a newline must not count as a finding. */
const RECORDS = Array.from({ length: 2600 }, (_, index) =>
  record({
    status_code: index % 4 === 0 ? 'PASS' : 'FAIL',
    finding_info: { uid: `finding-${index}` },
    metadata: { event_code: `check_${index % 3}` },
    status_detail: index % 2 === 0 ? `Commas, "quotes"\nand lines ${index}` : 'Plain',
  }),
);
const TOO_MANY_EXPORTS = {
  status: 429,
  headers: { 'retry-after': '1' },
  contentType: 'application/vnd.api+json',
  json: { errors: [{ id: '1', status: '429', code: 'too_many_exports', title: 'Slow', detail: 'Too many' }] },
};

/** The formats whose exports can be resumed. */
const LABELS = isWholeRun ? ['CSV', 'NDJSON'] : ['CSV'];

describe('findings export', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  let proxy: FaultyProxy;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    proxy = await startFaultyProxy(service.url);
    await client.ingest(RECORDS);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await proxy.stop();
    await service.leave();
  });

  const startExport = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const close = async (page: Page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const exportFile = async (page: Page, item: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), startExport(page, item)]);
    return { name: download.suggestedFilename(), text: await readDownload(download) };
  };
  const fetchExport = async (query: string) => {
    const response = await fetch(`${service.url}/api/v1/findings/export?${query}`, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    assert.equal(response.status, 200);
    return await response.text();
  };
  const openThroughProxy = async () => {
    const { page } = await openConsole(
      browser,
      { url: proxy.url, key: service.key },
      { path: '/findings', fresh: true },
    );
    return page;
  };

  it('exports the filtered findings in the order of the table as CSV, NDJSON and OCSF', async () => {
    const { page, assertQuiet, assertAccessible } = await openConsole(browser, service, {
      path: '/findings?status=FAIL&sort=-check_id',
    });
    const query = 'filter[status]=FAIL&sort=-check_id';
    const csv = await exportFile(page, '1,950 findings as CSV');
    await page.getByText(/^1,950 findings exported, [\d.]+ (Ki|Mi)B\.$/).waitFor();
    await assertAccessible();
    await close(page);
    const ndjson = await exportFile(page, '1,950 findings as NDJSON');
    await close(page);
    const ocsf = await exportFile(page, '1,950 findings as OCSF');
    await page.getByText(/^[\d.]+ (Ki|Mi)B exported\.$/).waitFor();
    await close(page);
    for (const [format, { name, text }] of Object.entries({ csv, ndjson, ocsf })) {
      assert.match(name, new RegExp(`^findings-\\d{4}-\\d\\d-\\d\\d\\.(ocsf\\.json|${format})$`));
      assert.equal(text, await fetchExport(`format=${format}&${query}`));
    }
    const rows = parseCsvTable(csv.text);
    const firstPage = await client.get<Resource[]>(`/findings?${query}&page[size]=1000`);
    assert.deepEqual(
      rows.slice(0, 1000).map(({ id }) => id),
      firstPage.body.data.map(({ id }) => id),
    );
    assertQuiet();
  });

  itInWholeRun('opens a finding from its link in an export', async () => {
    const [row] = parseCsvTable(await fetchExport('format=csv'));
    const link = row?.link ?? '';
    const { page, assertQuiet } = await openConsole(browser, service, {
      path: link.slice(service.url.length),
    });
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: row?.check_title ?? '', exact: true })
      .waitFor();
    assert.equal(page.url(), link);
    assertQuiet();
  });

  itInWholeRun('resumes an interrupted findings export after the last complete finding', async () => {
    const page = await openThroughProxy();
    const exports = exportRequests(page);
    for (const label of LABELS) {
      proxy.stallResponse('filename="findings.');
      const downloaded = page.waitForEvent('download');
      await startExport(page, `2,600 findings as ${label}`);
      await page.getByText(/^[1-9]\d* of 2,600 findings, [\d.]+ KiB$/).waitFor();
      proxy.disconnect();
      await page
        .getByText(/findings, [\d.]+ KiB\. Retrying: The connection to Sluice was interrupted\.$/)
        .waitFor();
      assert.equal(await readDownload(await downloaded), await fetchExport(`format=${label.toLowerCase()}`));
      await page.getByText(/^2,600 findings exported/).waitFor();
      await close(page);
    }
    assert.deepEqual(
      exports.map(({ searchParams }) => searchParams.has('page[after_values]')),
      LABELS.flatMap(() => [false, true]),
    );
  });

  itInWholeRun('restarts an interrupted findings export whose last finding has moved', async () => {
    const { page } = await openConsole(
      browser,
      { url: proxy.url, key: service.key },
      { path: '/findings?sort=-last_seen_at', fresh: true },
    );
    const exports = exportRequests(page);
    for (const label of LABELS) {
      proxy.stallResponse('filename="findings.');
      const downloaded = page.waitForEvent('download');
      await startExport(page, `2,600 findings as ${label}`);
      await page.getByText(/^[1-9]\d* of 2,600 findings, [\d.]+ KiB$/).waitFor();
      await service.sql(
        "update findings set last_seen_at = (last_seen_at at time zone 'UTC' - interval '1 second') at time zone 'UTC'",
      );
      proxy.disconnect();
      const file = await readDownload(await downloaded);
      assert.equal(file, await fetchExport(`format=${label.toLowerCase()}&sort=-last_seen_at`));
      await close(page);
    }
    assert.deepEqual(
      exports.map(({ searchParams }) => searchParams.has('page[after]')),
      LABELS.flatMap(() => [false, true, false]),
    );
  });

  itInWholeRun('restarts an interrupted OCSF export', async () => {
    const page = await openThroughProxy();
    proxy.stallResponse('filename="findings.');
    const downloaded = page.waitForEvent('download');
    await startExport(page, '2,600 findings as OCSF');
    await page.getByText(/^[\d.]+ KiB$/).waitFor();
    proxy.disconnect();
    assert.equal(await readDownload(await downloaded), await fetchExport('format=ocsf'));
  });

  itInWholeRun(
    'waits for another findings export of the tenant for as long as the service requests',
    async () => {
      const { page } = await openConsole(browser, service, { path: '/findings' });
      let requests = 0;
      await page.route(
        (url) => url.pathname.endsWith('/findings/export'),
        async (route) => {
          requests += 1;
          if (requests > 2) await route.continue();
          else await route.fulfill(TOO_MANY_EXPORTS);
        },
      );
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        startExport(page, '2,600 findings as NDJSON'),
        page.getByText('0 of 2,600 findings, 0 bytes. Retrying: Too many').waitFor(),
      ]);
      assert.equal(await readDownload(download), await fetchExport('format=ndjson'));
      assert.equal(requests, 3);
    },
  );

  itInWholeRun('cancels a findings export', async () => {
    const page = await openThroughProxy();
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/findings/export'),
    );
    proxy.stallResponse('filename="findings.');
    await startExport(page, '2,600 findings as CSV');
    await page.getByText(/^[1-9]\d* of 2,600 findings/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await failed).failure()?.errorText, 'net::ERR_ABORTED');
    const { text } = await exportFile(page, '2,600 findings as CSV');
    assert.equal(text, await fetchExport('format=csv'));
  });
});

/**
 * The URLs of the page's export requests from now on, without those that were refused because the service had not noticed
 * yet that the connection of the previous export was closed.
 */
function exportRequests(page: Page): readonly URL[] {
  const urls: URL[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/findings/export') && response.status() !== TOO_MANY_EXPORTS.status)
      urls.push(new URL(response.url()));
  });
  return urls;
}
