import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { parseCsvTable } from '../../../../server/test/support/parse-csv.ts';
import { record } from '../../../../server/test/support/records.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readDownload } from '../../support/files.ts';
import { startBrowser } from '../../support/start-browser.ts';

const STATUSES = { 'fail-1': 'FAIL', 'fail-2': 'FAIL', 'fail-3': 'FAIL', 'pass-1': 'PASS', 'pass-2': 'PASS' };

const seen = (uid: keyof typeof STATUSES, daysAgo: number) =>
  record({
    time: Math.floor(Date.now() / 1000) - daysAgo * 86_400,
    status_code: STATUSES[uid],
    metadata: { event_code: `check-${uid}`, product: { name: 'Example scanner' } },
    finding_info: { uid, title: `Finding ${uid}` },
    resources: [{ uid: `arn:${uid}`, name: uid }],
  });

describe('state of findings', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  /** The upload that resolves `fail-2`, `fail-3` and `pass-2`. */
  let resolvedBy: string;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    await client.ingest([
      seen('fail-1', 6),
      seen('fail-2', 6),
      seen('fail-3', 6),
      seen('pass-1', 6),
      seen('pass-2', 6),
    ]);
    const complete = await client.ingest([seen('fail-1', 2), seen('pass-1', 2)], {
      parts: { coverage: 'account' },
    });
    resolvedBy = complete.id;
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const open = (path: string) => openConsole(browser, service, { path });
  const waitForCount = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const facet = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const option = (page: Page, name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
  const openMenu = (page: Page) => page.getByRole('button', { name: /^State/ }).click();
  const queryOf = (page: Page) => new URL(page.url()).search;
  const choose = async (page: Page, name: string) => {
    await openMenu(page);
    await option(page, name).click();
    await page.keyboard.press('Escape');
  };
  /** The titles and tags of the rendered rows. */
  const rows = async (page: Page) => {
    const cells = await page.locator('[role=grid] tbody [data-column="check_title"]').allInnerTexts();
    return cells.map((text) => text.replace(/\s+/g, ' ').trim()).toSorted();
  };

  it('shows only open findings by default, and resolved findings or both on request', async () => {
    const { page, assertQuiet, assertAccessible } = await open('/findings');
    await waitForCount(page, '2 findings');
    await facet(page, 'Fail 1').waitFor();
    assert.deepEqual(await rows(page), ['Finding fail-1', 'Finding pass-1']);
    assert.equal(await page.getByRole('list', { name: 'Active filters' }).count(), 0);

    await choose(page, 'Resolved 3');
    await waitForCount(page, '5 findings');
    await facet(page, 'Fail 3').waitFor();
    assert.equal(queryOf(page), '?state=open,resolved');
    const resolved = [
      'Finding fail-2 Resolved New',
      'Finding fail-3 Resolved New',
      'Finding pass-2 Resolved New',
    ];
    assert.deepEqual(await rows(page), ['Finding fail-1', 'Finding pass-1', ...resolved].toSorted());

    await choose(page, 'Open 2');
    await waitForCount(page, '3 findings');
    await facet(page, 'Fail 2').waitFor();
    assert.equal(queryOf(page), '?state=resolved');
    assert.deepEqual(await rows(page), resolved);

    await choose(page, 'Resolved 3');
    await waitForCount(page, '2 findings');
    assert.equal(queryOf(page), '');
    await openMenu(page);
    assert.equal(await option(page, 'Open 2').getAttribute('aria-checked'), 'true');
    assert.equal(await option(page, 'Resolved 3').getAttribute('aria-checked'), 'false');
    await assertAccessible();
    assertQuiet();
  });

  itInWholeRun(
    'keeps the state filter in the URL and lists it among the active filters unless it is the default',
    async () => {
      const { page, assertQuiet } = await open('/findings?state=resolved');
      await waitForCount(page, '3 findings');
      await page.getByRole('button', { name: 'State 1 selected' }).waitFor();
      await facet(page, 'Fail 2').click();
      await waitForCount(page, '2 findings');
      assert.equal(queryOf(page), '?state=resolved&status=FAIL');
      await page.reload();
      await waitForCount(page, '2 findings');
      await page.getByRole('button', { name: 'Remove filter State: Resolved' }).click();
      await waitForCount(page, '1 finding');
      assert.equal(queryOf(page), '?status=FAIL');

      await page.goto(`${service.url}/findings?state=open,resolved`);
      await waitForCount(page, '5 findings');
      await page.getByRole('button', { name: 'Remove filter State: Open' }).click();
      await waitForCount(page, '3 findings');

      await page.goto(`${service.url}/findings?state=open,closed`);
      await waitForCount(page, '2 findings');
      await page.getByText('invalid and were ignored: State “closed”.').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Remove filter/ }).count(), 0);
      assertQuiet();
    },
  );

  if (isWholeRun)
    it('exports the findings in the selected states', async () => {
      const { page } = await open('/findings?state=resolved');
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: '3 findings as CSV' }).click(),
      ]);
      const exported = parseCsvTable(await readDownload(download));
      assert.deepEqual(exported.map(({ uid, state }) => `${uid} ${state}`).toSorted(), [
        'fail-2 resolved',
        'fail-3 resolved',
        'pass-2 resolved',
      ]);
    });

  itInWholeRun('shows when and by which upload a finding was resolved', async () => {
    const shown = await open('/findings?state=resolved&status=PASS');
    const { page } = shown;
    await page.getByRole('link', { name: /Finding pass-2/ }).click();
    const panel = page.getByRole('dialog', { name: 'Finding pass-2' });
    await panel.getByText('Resolved', { exact: true }).waitFor();
    const history = panel.getByRole('region', { name: 'History' });
    const latest = history.getByRole('listitem').first();
    assert.equal(
      await latest.innerText(),
      'Resolved: absent from a complete upload\n2 days ago · View scan · View upload',
    );
    assert.equal(
      await latest.getByRole('link', { name: 'View upload' }).getAttribute('href'),
      `/ingestions/${resolvedBy}`,
    );
    assert.match(queryOf(page), /^\?state=resolved&status=PASS&finding=/);
    await assertAccessibleInAllModes(shown);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.equal(queryOf(page), '?state=resolved&status=PASS');

    await page.goto(`${service.url}/findings`);
    await page.getByRole('link', { name: /Finding fail-1/ }).click();
    const openFinding = page.getByRole('dialog', { name: 'Finding fail-1' });
    await openFinding.getByText('First seen').waitFor();
    assert.equal(await openFinding.getByText('Resolved').count(), 0);
    shown.assertQuiet();
  });
});
