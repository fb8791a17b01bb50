import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { generateFindings } from '../../../../../tools/findings-generator/src/index.ts';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { createSandbox } from '../../../../server/test/support/sandbox.ts';
import type { Service } from '../../../../server/test/support/service.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { startBrowser } from '../../support/start-browser.ts';

const COUNT = 20_000;

describe('scrolling through a long list of findings', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let browser: Browser;
  let client: Client;
  before(async () => {
    // Uses a separate service, because a test restarts it.
    [service, browser] = await Promise.all([sandbox.startService(), startBrowser()]);
    client = createClient(service.url, service.key);
    await client.ingest(Buffer.concat([...generateFindings({ records: COUNT, indent: 0 })]));
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await sandbox.clear();
  });

  const open = async (path = '/findings') => {
    const opened = await openConsole(browser, service, { path });
    await opened.page.getByText('20,000 findings', { exact: true }).waitFor();
    return { ...opened, grid: opened.page.getByRole('grid', { name: 'Findings' }) };
  };
  /**
   * Returns the visible rows as pairs of an index and a finding ID, once the row at `place` is visible and all rows are
   * loaded.
   */
  const getVisibleRows = async (
    page: Page,
    place: number,
  ): Promise<readonly (readonly [number, string])[]> => {
    const rows = await page.waitForFunction((expected) => {
      const found = [...document.querySelectorAll('tbody tr')].map((row) => {
        const href = row.querySelector('a')?.getAttribute('href') ?? '';
        return [Number(row.getAttribute('aria-rowindex')) - 2, href.split('finding=')[1] ?? ''] as const;
      });
      return found.some(([index]) => index === expected) && found.every(([, id]) => id !== '') && found;
    }, place);
    return (await rows.jsonValue()) || [];
  };
  /** Fails if a visible row differs from the row at the same index in the API. */
  const assertRowsMatch = async (page: Page, place: number) => {
    for (const [index, id] of await getVisibleRows(page, place)) {
      const expected = await fetchPage(Math.floor(index / 100) + 1);
      assert.equal(id, expected[index % 100], `row ${index}`);
    }
  };
  const pages = new Map<number, readonly string[]>();
  const fetchPage = async (number: number): Promise<readonly string[]> => {
    const known = pages.get(number);
    if (known !== undefined) return known;
    const { body } = await client.get<Resource[]>(
      `/findings?page[size]=100&page[number]=${number}&fields[findings]=uid`,
    );
    const ids = body.data.map(({ id }) => id);
    pages.set(number, ids);
    return ids;
  };

  it('shows the correct findings at any scroll position and loads only pages that stay visible', async () => {
    const { page, grid, assertQuiet } = await open();
    assert.equal(await grid.getAttribute('aria-rowcount'), String(COUNT + 1));
    await assertRowsMatch(page, 0);
    const requestedPages = new Set<string>();
    page.on('request', (request) => {
      const number = new URL(request.url()).searchParams.get('page[number]');
      if (number !== null) requestedPages.add(number);
    });
    // Dragging the scroll bar from the top to the middle passes 100 pages.
    await grid.evaluate(async (element) => {
      const middle = (element.scrollHeight - element.clientHeight) / 2;
      for (let step = 1; step <= 50; step += 1) {
        element.scrollTop = (middle * step) / 50;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    await assertRowsMatch(page, COUNT / 2);
    assert.ok(requestedPages.size < 25, `${requestedPages.size} pages were requested`);
    await grid.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await assertRowsMatch(page, COUNT - 1);
    assert.ok((await page.locator('tbody tr').count()) < 60);
    assertQuiet();
  });

  itInWholeRun(
    'moves through findings by keyboard: to the next row, the next page, the end and the start',
    async () => {
      const { page, grid, assertQuiet, assertAccessible } = await open();
      await grid.focus();
      const assertActive = async (place: number) => {
        await page.locator(`tr[aria-selected=true][aria-rowindex="${place + 2}"]`).waitFor();
        await assertRowsMatch(page, place);
        const row = page.locator(`tr[aria-rowindex="${place + 2}"]`);
        assert.equal(await grid.getAttribute('aria-activedescendant'), await row.getAttribute('id'));
        const [box, around] = [await row.boundingBox(), await grid.boundingBox()];
        assert.ok(box !== null && around !== null);
        assert.ok(
          box.y >= around.y + 40 - 1 && box.y + box.height <= around.y + around.height + 1,
          'The active row is hidden',
        );
      };
      await page.keyboard.press('ArrowDown');
      await assertActive(1);
      await page.keyboard.press('End');
      await assertActive(COUNT - 1);
      await assertAccessible();
      await page.keyboard.press('ArrowUp');
      await assertActive(COUNT - 2);
      await page.keyboard.press('Home');
      await assertActive(0);
      await page.keyboard.press('PageDown');
      const perPage = Number(await page.locator('tr[aria-selected=true]').getAttribute('aria-rowindex')) - 2;
      assert.ok(perPage > 5 && perPage < 20);
      await assertActive(perPage);
      assertQuiet();
    },
  );

  itInWholeRun(
    'opens findings whose rows are not loaded yet and returns to the previous position',
    async () => {
      const { page, grid, assertQuiet } = await open();
      await grid.evaluate((element) => {
        element.scrollTop = 40 * 5000;
      });
      await assertRowsMatch(page, 5000);
      const [, id] = (await getVisibleRows(page, 5003)).find(([index]) => index === 5003) ?? [];
      await page.locator(`tr[aria-rowindex="5005"] a`).click();
      await page.waitForURL((url) => url.searchParams.get('finding') === id);
      const next = (await fetchPage(51))[4];
      await page.getByRole('button', { name: 'Next finding (J)' }).click();
      await page.waitForURL((url) => url.searchParams.get('finding') === next);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await assertRowsMatch(page, 5004);
      await page.getByRole('link', { name: 'Scans' }).click();
      await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
      await page.goBack();
      await assertRowsMatch(page, 5004);
      assertQuiet();
    },
  );

  itInWholeRun('resumes loading rows automatically after the service restarts', async () => {
    const { page, grid } = await open();
    await assertRowsMatch(page, 0);
    const { port } = new URL(service.url);
    await service.end();
    await grid.evaluate((element) => {
      element.scrollTop = 40 * 9000;
    });
    await page.getByText(/Can't reach Sluice/).waitFor();
    const { key } = service;
    service = { ...(await sandbox.startService({ PORT: port }, service.dataDir)), key };
    await assertRowsMatch(page, 9000);
    await page.getByText(/Can't reach Sluice/).waitFor({ state: 'detached' });
  });
});
