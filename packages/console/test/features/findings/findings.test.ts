import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { record } from '../../../../server/test/support/records.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { startBrowser } from '../../support/start-browser.ts';

const SEVERITIES = { informational: 1, low: 2, medium: 3, high: 4, critical: 5 } as const;
const STATUSES = ['FAIL', 'PASS', 'MANUAL'] as const;

/** 60 findings: four for each combination of severity and status, in two accounts and three services. */
const RECORDS = Object.values(SEVERITIES).flatMap((severity_id, index) =>
  STATUSES.flatMap((status_code, beside) =>
    Array.from({ length: 4 }, (_, copy) => {
      const name = `thing-${index}-${beside}-${copy}`;
      return record({
        severity_id,
        status_code,
        status_id: copy === 3 ? 3 : 1,
        time: Date.UTC(2026, 0, 1 + index) / 1000,
        metadata: { event_code: `check_${copy}` },
        finding_info: { uid: name, title: `Check number ${copy}` },
        cloud: { provider: copy === 0 ? 'azure' : 'aws', account: { uid: copy < 2 ? 'one' : 'two' } },
        resources: [
          { uid: `arn:${name}`, name, region: 'eu-west-1', group: { name: ['s3', 'iam', 'a,b'][beside] } },
        ],
      });
    }),
  ),
);

describe('findings page', { skip: withoutBrowser }, () => {
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

  const open = (path: string) => openConsole(browser, service, { path });
  const grid = (page: Page) => page.getByRole('grid', { name: 'Findings' });
  const waitForCount = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
  /** The resource names in the rendered rows, from top to bottom. */
  const resources = (page: Page) => grid(page).locator('tbody [data-column="resource"]').allInnerTexts();
  const namesOf = async (query: string): Promise<string[]> => {
    const { status, body } = await client.get<Resource[]>(`/findings?page[size]=100&${query}`);
    assert.equal(status, 200);
    return body.data.map(({ attributes }) => (attributes.resource as { name: string }).name);
  };

  it('keeps finding filters in the URL across reloads and Back', async () => {
    const { page, assertQuiet } = await open('/findings');
    await waitForCount(page, '60 findings');
    await page.getByRole('button', { name: 'Fail 20' }).click();
    await waitForCount(page, '20 findings');
    await page.getByRole('button', { name: 'Critical 4' }).click();
    await waitForCount(page, '4 findings');
    assert.equal(new URL(page.url()).search, '?status=FAIL&severity=critical');
    // Each group ignores its own filter, so the counts of unselected values do not change.
    await page.getByRole('button', { name: 'Pass 4' }).waitFor();
    await page.getByRole('button', { name: 'High 4' }).click();
    await waitForCount(page, '8 findings');
    assert.equal(new URL(page.url()).search, '?status=FAIL&severity=critical,high');
    await page.reload();
    await waitForCount(page, '8 findings');
    assert.equal(await page.getByRole('button', { name: /^Fail/ }).getAttribute('aria-pressed'), 'true');
    assert.equal(await page.getByRole('button', { name: /^Manual/ }).getAttribute('aria-pressed'), 'false');
    await page.goBack();
    await waitForCount(page, '4 findings');
    await page.goBack();
    await waitForCount(page, '20 findings');
    assert.deepEqual(await resources(page), await namesOf('filter[status]=FAIL'));
    assertQuiet();
  });

  itInWholeRun('shows the count for each filter value and applies several values', async () => {
    const { page, assertQuiet, assertAccessible } = await open('/findings?status=FAIL,MANUAL');
    await page.getByRole('button', { name: 'Service', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 's3 20' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'a,b 20' }).waitFor();
    await assertAccessible();
    await page.keyboard.press('Escape');
    await waitForCount(page, '20 findings');
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'two 10' }).click();
    await page.keyboard.press('Escape');
    await waitForCount(page, '10 findings');
    await page.getByRole('button', { name: 'Muted', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Not muted 5' }).click();
    await page.keyboard.press('Escape');
    await waitForCount(page, '5 findings');
    assert.equal(new URL(page.url()).search, '?status=FAIL,MANUAL&service=s3&account=two&muted=false');
    await page.getByRole('button', { name: 'Remove filter Account: two' }).click();
    await waitForCount(page, '15 findings');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await waitForCount(page, '60 findings');
    assertQuiet();
  });

  if (isWholeRun)
    it('filters findings by a value that contains a comma', async () => {
      const { page } = await open('/findings');
      await page.getByRole('button', { name: 'Service', exact: true }).click();
      await page.getByRole('menuitemcheckbox', { name: 'a,b 20' }).click();
      await waitForCount(page, '20 findings');
      await page.reload();
      await waitForCount(page, '20 findings');
      await page.getByRole('button', { name: 'Remove filter Service: a,b' }).waitFor();
    });

  itInWholeRun('filters findings by date and through links from other pages', async () => {
    const { page, assertAccessible } = await open('/findings?seen_from=2026-01-02&seen_to=2026-01-03');
    await waitForCount(page, '24 findings');
    await page.getByRole('button', { name: /^Dates/ }).click();
    await page.getByLabel('Last seen until (UTC)').fill('2026-01-02');
    await waitForCount(page, '12 findings');
    await assertAccessible();
    const [finding] = (await client.get<Resource[]>('/findings?page[size]=1&sort=id')).body.data;
    assert.ok(finding);
    const { provider, scan, ingestion } = finding.relationships;
    const links = [
      ['scan', scan?.data.id],
      ['resource', 'arn:thing-1-1-1'],
      ['provider', provider?.data.id],
      ['ingestion', ingestion?.data.id],
      ['check', 'check_2'],
      ['region', 'eu-west-1'],
      ['category', 'internet-exposed'],
    ];
    for (const [name, id] of isWholeRun ? links : links.slice(0, 2)) {
      const filter = { check: 'check_id', resource: 'resource_uid' }[name ?? ''] ?? name;
      const names = await namesOf(`filter[${filter}]=${id}`);
      assert.ok(names.length > 0);
      await page.goto(`${service.url}/findings?${name}=${id}`);
      await waitForCount(page, names.length === 1 ? '1 finding' : `${names.length} findings`);
      await page.getByRole('button', { name: /^Remove filter/ }).waitFor();
    }
  });

  itInWholeRun('ignores and reports invalid filters in the URL', async () => {
    const { page, assertQuiet, assertAccessible } = await open(
      '/findings?status=FAIL,open&severity=worst&provider=1&seen_from=2026-02-30&muted=maybe&sort=title&more=1',
    );
    await waitForCount(page, '20 findings');
    await page
      .getByText(
        'invalid and were ignored: Status “open”, Severity “worst”, Muted “maybe”, Provider “1”, Last seen from “2026-02-30”, Sort “title”.',
      )
      .waitFor();
    await assertAccessible();
    await page.getByRole('button', { name: 'Remove invalid filters' }).click();
    await page.getByText(/invalid and were ignored/).waitFor({ state: 'detached' });
    assert.deepEqual(new URL(page.url()).searchParams.get('status'), 'FAIL');
    assert.equal(new URL(page.url()).searchParams.get('provider'), null);
    assertQuiet();
  });

  it('sorts findings by column, as the API does', async () => {
    const { page, assertQuiet } = await open('/findings');
    const columns = [
      ['Last seen', 'last_seen_at'],
      ['Severity', 'severity'],
      ['Status', 'status'],
      ['Finding', 'check_id'],
    ] as const;
    for (const [head, key] of isWholeRun ? columns : columns.slice(0, 2)) {
      for (const sort of key === 'severity' ? [`-${key}`] : [`-${key}`, key]) {
        await page.getByRole('button', { name: head, exact: true }).click();
        const direction = sort.startsWith('-') ? 'descending' : 'ascending';
        await page.locator(`th[aria-sort=${direction}]`, { hasText: head }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('sort'), sort);
        const shown = await resources(page);
        assert.ok(shown.length > 10);
        assert.deepEqual(shown, (await namesOf(`sort=${sort}`)).slice(0, shown.length), sort);
      }
    }
    assertQuiet();
  });

  it('searches findings during typing without a history entry per keystroke', async () => {
    const { page } = await open('/findings?status=FAIL');
    await waitForCount(page, '20 findings');
    const before = await page.evaluate(() => window.history.length);
    await page.getByRole('searchbox').pressSequentially('thing-4-0', { delay: 30 });
    await waitForCount(page, '4 findings');
    assert.equal(new URL(page.url()).search, '?status=FAIL&search=thing-4-0');
    assert.equal(await page.evaluate(() => window.history.length), before);
    await page.getByRole('searchbox').fill('nowhere');
    await page.getByRole('heading', { name: 'No findings match these filters' }).waitFor();
    await page.getByText('60 open findings in total').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear all filters' }).last().click();
    await waitForCount(page, '60 findings');
  });

  if (isWholeRun)
    it('searches checks, resources and accounts, as the label of the search field says', async () => {
      const { page } = await open('/findings');
      await waitForCount(page, '60 findings');
      const field = page.getByRole('searchbox', { name: 'Search checks, resources, accounts' });
      for (const [text, count] of [
        ['check_3', '15 findings'],
        ['number thing-2', '12 findings'],
        ['on', '30 findings'],
      ] as const) {
        await field.fill(text);
        await waitForCount(page, count);
      }
    });

  itInWholeRun(
    'shows and hides columns, remembers the selection, and requests only the visible attributes',
    async () => {
      const { page } = await open('/findings');
      await grid(page).getByRole('columnheader', { name: 'Region' }).waitFor();
      const request = page.waitForRequest((sent) => {
        const fields = new URL(sent.url()).searchParams.get('fields[findings]')?.split(',');
        return fields !== undefined && !fields.includes('region') && !fields.includes('status_detail');
      });
      await page.getByRole('button', { name: /^Columns/ }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Region' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Check' }).click();
      await request;
      await page.keyboard.press('Escape');
      await grid(page).getByRole('columnheader', { name: 'Check', exact: true }).waitFor();
      await page.reload();
      await grid(page).getByRole('columnheader', { name: 'Check', exact: true }).waitFor();
      assert.equal(await grid(page).getByRole('columnheader', { name: 'Region' }).count(), 0);
      await grid(page).getByText('check_3').first().waitFor();
    },
  );

  it('keeps showing the previous findings after a filter change until the new findings are loaded', async () => {
    const { page } = await open('/findings');
    await waitForCount(page, '60 findings');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/v1\/findings\?/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Pass 20' }).click();
    await page.locator('[role=grid][aria-busy=true]').waitFor();
    assert.deepEqual((await resources(page)).slice(0, 5), (await namesOf('')).slice(0, 5));
    release();
    await waitForCount(page, '20 findings');
    assert.deepEqual(await resources(page), await namesOf('filter[status]=PASS'));
  });

  if (isWholeRun)
    it('explains to a tenant without findings how to upload files', async () => {
      const tenant = await service.sluiceJson<{ id: string }>(
        'tenant',
        'create',
        'New',
        '--subscription',
        'active',
      );
      await createUser(service, tenant.id, 'new@example.com');
      const key = await createKey(service, tenant.id, 'new@example.com');
      const { page, assertAccessible, assertQuiet } = await openConsole(browser, service, {
        path: '/findings',
        key,
      });
      await page.getByRole('heading', { name: 'No findings yet' }).waitFor();
      await page.getByRole('button', { name: 'Upload files' }).waitFor();
      await assertAccessible();
      assertQuiet();
    });

  itInWholeRun(
    'shows an accessible list of findings in light mode, in dark mode and on a phone',
    async () => {
      const shown = await openConsole(browser, service, { path: '/findings?status=FAIL&service=s3' });
      await waitForCount(shown.page, '20 findings');
      await assertAccessibleInAllModes(shown);
      if (isWholeRun) {
        await shown.page.getByRole('button', { name: /^Service/ }).click();
        await shown.page.getByRole('menuitemcheckbox').first().waitFor();
        await assertAccessibleInAllModes(shown);
      }
      shown.assertQuiet();
    },
  );
});
