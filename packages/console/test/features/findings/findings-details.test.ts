import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { extractRaw } from '../../../../server/test/support/extract-raw.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { deleteButHold } from '../../../../server/test/support/held-provider.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { CLIPBOARD, copyWith, readClipboard } from '../../support/clipboard.ts';
import { startBrowser } from '../../support/start-browser.ts';

/** Markup that an attacker could put into a finding. */
const HOSTILE = [
  '**Bold** and *slanted* and `code`, [a guide](https://example.com/guide) or [mail](mailto:a@example.com).',
  '<img src=x onerror="window.harmed = 1"><script>window.harmed = 2</script><b onclick="window.harmed = 3">raw</b>',
  '[one](javascript:window.harmed=4) [two](data:text/html,<script>window.harmed=5</script>) [three](//example.com/x)',
  '![picture](https://example.com/spy.png)',
  '- first\n- second',
  '# A heading',
].join('\n\n');

const RECORDS = [
  record({
    severity_id: 5,
    finding_info: {
      uid: 'hostile',
      title: '<img src=x onerror="window.harmed = 6"> **title**',
      desc: HOSTILE,
    },
    metadata: { event_code: 'check_hostile' },
    status_detail: '=HYPERLINK("https://example.com") <i>detail</i>',
    remediation: {
      desc: HOSTILE,
      references: ['https://example.com/fix', 'javascript:alert(1)', 'aws s3api put-bucket-acl --bucket x'],
    },
    risk_details: HOSTILE,
    resources: [{ uid: 'arn:<b>x</b>', name: 'hostile', type: 'Bucket', group: { name: 's3' } }],
  }),
  ...Array.from({ length: 5 }, (_, index) =>
    record({
      finding_info: { uid: `plain-${index}`, title: `Plain ${index}` },
      metadata: { event_code: `plain_${index}` },
    }),
  ),
  record({
    severity_id: 1,
    finding_info: { uid: 'deleted', title: 'In a deleted account' },
    cloud: { provider: 'azure', account: { uid: 'deleted' } },
  }),
];
/** Numbers and escapes that JSON.parse does not preserve. */
const TEXT = `[${RECORDS.map((each) => JSON.stringify(each).replace('{', '{ "odd": [1e2, 12345678901234567890, "\\u0041\\/"],'))}]`;

describe('finding details', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    await client.ingest(TEXT);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const open = (path: string) => openConsole(browser, service, { path, ...CLIPBOARD });
  const idOf = async (uid: string): Promise<string> => {
    const { body } = await client.get<Resource[]>('/findings?page[size]=100');
    const found = body.data.find(({ attributes }) => attributes.uid === uid);
    assert.ok(found);
    return found.id;
  };

  it('renders finding attributes as plain text or limited Markdown without running scripts', async () => {
    const { page, assertQuiet, assertAccessible } = await open(`/findings?finding=${await idOf('hostile')}`);
    const panel = page.getByRole('dialog', { name: '<img src=x onerror="window.harmed = 6"> **title**' });
    const check = panel.getByRole('region', { name: 'Check' });
    await check.getByRole('link', { name: 'a guide (opens in a new tab)' }).first().waitFor();
    await panel.getByText('=HYPERLINK("https://example.com") <i>detail</i>').waitFor();
    await panel.getByText('arn:<b>x</b>').waitFor();
    assert.equal(await check.locator('strong', { hasText: 'Bold' }).count(), 3);
    assert.equal(await check.locator('em', { hasText: 'slanted' }).count(), 3);
    assert.equal(await check.locator('ul ul, ul li', { hasText: 'first' }).count(), 3);
    assert.equal(await check.getByText('<img src=x onerror').count(), 3);
    assert.equal(await panel.locator('img, script, iframe, b').count(), 0);
    const links = await check
      .locator('a')
      .evaluateAll((all) =>
        all.map((each) => [each.getAttribute('href'), each.getAttribute('rel'), each.getAttribute('target')]),
      );
    const outside = links.filter(([href]) => !href?.startsWith('/'));
    assert.deepEqual(
      [...new Set(outside.map(([href]) => href))],
      ['https://example.com/guide', 'mailto:a@example.com', 'https://example.com/fix'],
    );
    for (const [, rel, target] of outside) assert.deepEqual([rel, target], ['noopener noreferrer', '_blank']);
    await check.locator('code', { hasText: 'aws s3api put-bucket-acl' }).waitFor();
    await check.locator('code', { hasText: 'javascript:alert(1)' }).waitFor();
    assert.equal(await page.evaluate(() => Reflect.get(window, 'harmed')), undefined);
    await assertAccessible();
    assertQuiet();
  });

  it("shows a finding's record on request and copies the record byte for byte", async () => {
    const id = await idOf('hostile');
    const { page, assertQuiet, assertAccessible } = await open(`/findings?finding=${id}`);
    await page.getByRole('button', { name: 'Show record' }).click();
    const raw = extractRaw((await client.get(`/findings/${id}`)).text);
    assert.equal(await copyWith(page, 'Copy record'), raw);
    const shown = await page.getByRole('region', { name: 'Record JSON' }).innerText();
    assert.ok(
      shown.includes('12345678901234567890') && shown.includes('"\\u0041\\/"') && shown.includes('1e2'),
    );
    assert.equal(shown.replace(/\s/g, ''), raw?.replace(/\s/g, ''));
    await assertAccessible();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied').waitFor();
    assert.equal(await readClipboard(page), page.url());
    assertQuiet();
  });

  itInWholeRun(
    'opens and steps through findings with Enter, J, K and buttons, and closes them with Escape and Back',
    async () => {
      const { page, assertQuiet } = await open('/findings');
      const { body } = await client.get<Resource[]>('/findings');
      const ids = body.data.map(({ id }) => id);
      const waitUntilOpen = (index: number) =>
        page.waitForURL((url) => url.searchParams.get('finding') === (ids[index] ?? ''));
      const grid = page.getByRole('grid', { name: 'Findings' });
      await grid.getByRole('row').nth(3).waitFor();
      await grid.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await waitUntilOpen(1);
      await page.getByRole('dialog').getByText('2 of 7').waitFor({ state: 'attached' });
      await page.keyboard.press('j');
      await waitUntilOpen(2);
      await page.keyboard.press('k');
      await waitUntilOpen(1);
      await page.getByRole('button', { name: 'Previous finding (K)' }).click();
      await waitUntilOpen(0);
      assert.equal(
        await page.getByRole('button', { name: 'Previous finding (K)' }).getAttribute('aria-disabled'),
        'true',
      );
      await page.getByRole('button', { name: 'Next finding (J)' }).click();
      await waitUntilOpen(1);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).search, '');
      // Focus returns to the grid row of the finding that was open.
      await page.keyboard.press('Enter');
      await waitUntilOpen(1);
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assertQuiet();
    },
  );

  it('links a finding to its account, scan and upload', async () => {
    const { page } = await open(`/findings?finding=${await idOf('plain-1')}`);
    const panel = page.getByRole('dialog', { name: 'Plain 1' });
    const { relationships } = (await client.get<Resource>(`/findings/${await idOf('plain-1')}`)).body.data;
    const history = panel.getByRole('region', { name: 'History' });
    await history.getByText('First seen with status Fail').waitFor();
    // The latest record, and the first one.
    for (const [name, path] of [
      ['View scan', `/scans/${relationships.scan?.data.id}`],
      ['View upload', `/ingestions/${relationships.ingestion?.data.id}`],
    ] as const) {
      const links = await history.getByRole('link', { name }).all();
      assert.deepEqual(await Promise.all(links.map((link) => link.getAttribute('href'))), [path, path]);
    }
    await panel.getByRole('link', { name: 'AWS 111122223333' }).click();
    await page.getByText('6 findings', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove filter Provider: AWS 111122223333' }).waitFor();
  });

  itInWholeRun('reports that a finding or its record no longer exists', async () => {
    const id = await idOf('deleted');
    const { page, assertAccessible } = await open('/findings?finding=nothing');
    await page.getByText('Finding not found').waitFor();
    await assertAccessible();
    // Simulates a file that was deleted after its retention period.
    await page.route(
      (url) => url.searchParams.get('fields[findings]') === 'raw',
      (route) =>
        route.fulfill({
          status: 410,
          contentType: 'application/vnd.api+json',
          json: {
            errors: [{ id: '1', status: '410', code: 'file_removed', title: 'Gone', detail: 'Removed' }],
          },
        }),
    );
    await page.goto(`${service.url}/findings?finding=${id}`);
    await page.getByRole('dialog', { name: 'In a deleted account' }).waitFor();
    await page.getByRole('button', { name: 'Show record' }).click();
    await page.getByText('Record no longer available').waitFor();
    await assertAccessible();
    const { relationships } = (await client.get<Resource>(`/findings/${id}`)).body.data;
    const held = await deleteButHold(service, relationships.provider?.data.id ?? '');
    await page.reload();
    await page.getByText('It may have been deleted with its provider').waitFor();
    await held.letGo();
  });

  itInWholeRun('shows a finding whose status and change this version does not know', async () => {
    const id = await idOf('plain-0');
    const { page, assertAccessible, assertQuiet } = await open('/findings');
    await page.route(/\/api\/v1\/findings(?:\/[0-9a-f-]{36}(?:\/history)?)?\?/, async (route) => {
      const body = (await (await route.fetch()).text())
        .replaceAll('"status":"FAIL"', '"status":"WAIVED"')
        .replaceAll('"change":"new"', '"change":"risk_accepted"')
        .replaceAll('"previous":null', '"previous":{"status":"EXEMPT"}');
      await route.fulfill({ contentType: 'application/vnd.api+json', body });
    });
    await page.goto(`${service.url}/findings?finding=${id}`);
    const panel = page.getByRole('dialog', { name: 'Plain 0' });
    await panel.getByText('WAIVED', { exact: true }).waitFor();
    await panel.getByText('Risk accepted: EXEMPT to WAIVED').waitFor();
    await page.locator('[role=grid]').getByText('WAIVED').first().waitFor({ state: 'attached' });
    await assertAccessible();
    assertQuiet();
  });

  itInWholeRun('shows accessible finding details in light mode, in dark mode and on a phone', async () => {
    const shown = await openConsole(browser, service, { path: `/findings?finding=${await idOf('hostile')}` });
    await shown.page.getByRole('link', { name: 'a guide (opens in a new tab)' }).first().waitFor();
    await shown.page.getByRole('button', { name: 'Show record' }).click();
    await shown.page.getByRole('region', { name: 'Record JSON' }).waitFor();
    await assertAccessibleInAllModes(shown);
    shown.assertQuiet();
  });
});
