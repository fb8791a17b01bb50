import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Client, createClient, type Resource } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { until } from '../../../../server/test/support/until.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

const SEVERITIES: Readonly<Record<string, number>> = {
  worse: 5,
  added: 4,
  back: 3,
  better: 2,
  gone: 2,
  same: 2,
};

const DAY_S = 86_400;
const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * DAY_S;

const seen = (uid: string, days: number, status: string, members: Readonly<Record<string, unknown>> = {}) =>
  record({
    time: daysAgo(days),
    status_code: status,
    metadata: { event_code: `check-${uid}`, product: { name: 'Example scanner' } },
    finding_info: { uid, title: `Finding ${uid}` },
    ...members,
  });

describe('changes of findings', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  let client: Client;
  /** The uploads, oldest first. */
  const uploads: string[] = [];
  /** The scan of the last upload. */
  let scan: string;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    const upload = async (days: number, coverage: string, statuses: Readonly<Record<string, string>>) => {
      const records = Object.entries(statuses).map(([uid, status]) =>
        seen(uid, days, status, { severity_id: SEVERITIES[uid] }),
      );
      uploads.push((await client.ingest(records, { parts: { coverage } })).id);
    };
    const first = { worse: 'PASS', better: 'FAIL', gone: 'FAIL', same: 'FAIL', back: 'FAIL' };
    await upload(6, 'partial', first);
    await upload(4, 'account', { worse: 'PASS', better: 'FAIL', gone: 'FAIL', same: 'FAIL' });
    await upload(2, 'account', { worse: 'FAIL', better: 'PASS', same: 'FAIL', back: 'FAIL', added: 'FAIL' });
    const { body } = await client.get<readonly Resource[]>(`/scans?filter[ingestion]=${uploads[2]}`);
    scan = body.data[0]?.id ?? assert.fail('The upload has no scan');
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const open = (path: string) => openConsole(browser, service, { path });
  const waitForCount = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const queryOf = (page: Page) => new URL(page.url()).search;
  const titles = async (page: Page) => {
    const cells = await page.locator('[role=grid] tbody [data-column="check_title"]').allInnerTexts();
    return cells.map((text) => text.replace(/\s+/g, ' ').trim());
  };
  const historyOf = (page: Page) => page.getByRole('region', { name: 'History' });
  const changesOf = async (page: Page) =>
    await historyOf(page).getByRole('list', { name: 'Changes' }).getByRole('listitem').allInnerTexts();
  const idOf = async (uid: string): Promise<string> => {
    const { body } = await client.get<readonly Resource[]>(
      '/findings?filter[state]=open,resolved&page[size]=100',
    );
    return body.data.find(({ attributes }) => attributes.uid === uid)?.id ?? assert.fail(`no finding ${uid}`);
  };

  itInWholeRun(
    'links the changes of a scan to its findings, which the findings page lists in any state',
    async () => {
      const shown = await open('/scans');
      const { page, assertQuiet } = shown;
      await page.getByText('3 scans').waitFor();
      assert.deepEqual(
        (await readRows(page, 'Scans')).map((cells) => cells.at(-1)),
        ['1 regressed 1 new 1 reopened 1 fixed 1 resolved 1 unchanged', '1 resolved 4 unchanged', '5 new'],
      );
      const changes = [
        ['regressed', 'Finding worse'],
        ['new', 'Finding added'],
        ['reopened', 'Finding back'],
        ['fixed', 'Finding better'],
        ['resolved', 'Finding gone Resolved'],
        ['unchanged', 'Finding same'],
      ] as const;
      for (const [change, title] of isWholeRun ? changes : [changes[0], changes[4], changes[5]]) {
        await page
          .getByRole('link', { name: `1 ${change}` })
          .first()
          .click();
        await waitForCount(page, '1 finding');
        assert.equal(queryOf(page), `?${change}_in=${scan}&state=open,resolved`);
        const [listed = ''] = await titles(page);
        assert.ok(listed.startsWith(title), listed);
        if (change !== 'unchanged') {
          await page.goBack();
          await page.getByText('3 scans').waitFor();
        }
      }
      await page.getByRole('button', { name: /^Remove filter Unchanged in: scan of Production, / }).waitFor();
      await assertAccessibleInAllModes(shown);
      await page.getByRole('button', { name: /^Remove filter Unchanged in/ }).click();
      await waitForCount(page, '6 findings');
      assert.equal(queryOf(page), '?state=open,resolved');
      assertQuiet();
    },
  );

  it('shows how an upload changed findings by severity, the newly failing findings first', async () => {
    const shown = await open(`/ingestions/${uploads[2]}`);
    const { page, assertQuiet } = shown;
    const table = page.getByRole('table', { name: 'Findings by change and severity' });
    await table.waitFor();
    assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), [
      'Change',
      'Critical',
      'High',
      'Medium',
      'Low',
      'All',
    ]);
    assert.deepEqual(await readRows(page, 'Findings by change and severity'), [
      ['Newly failing', '1', '1', '1', '0', '3'],
      ['Regressed', '1', '0', '0', '0', '1'],
      ['New', '0', '1', '0', '0', '1'],
      ['Reopened', '0', '0', '1', '0', '1'],
      ['Fixed', '0', '0', '0', '1', '1'],
      ['Resolved', '0', '0', '0', '1', '1'],
      ['Unchanged', '0', '0', '0', '1', '1'],
    ]);
    await assertAccessibleInAllModes(shown);
    await table.getByRole('link', { name: '1 reopened finding' }).click();
    await waitForCount(page, '1 finding');
    assert.equal(queryOf(page), `?reopened_in=${uploads[2]}&state=open,resolved`);
    assert.deepEqual(await titles(page), ['Finding back']);
    const name = `Reopened in: upload ${uploads[2]?.slice(0, 8)}…`;
    await page.getByRole('button', { name: `Remove filter ${name}` }).waitFor();
    assertQuiet();
  });

  itInWholeRun('shows how an upload changed findings only after the upload has been processed', async () => {
    const { page, assertQuiet } = await open('/ingestions');
    await page.route(/\/api\/v1\/ingestions\/[0-9a-f-]{36}$/, async (route) => {
      const body = (await (await route.fetch()).text()).replace('"completed"', '"processing"');
      await route.fulfill({ contentType: 'application/vnd.api+json', body });
    });
    await page.goto(`${service.url}/ingestions/${uploads[2]}`);
    await page.getByText('Processing', { exact: true }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Changes to findings' }).count(), 0);
    await page.unrouteAll();
    await page.getByRole('region', { name: 'Changes to findings' }).waitFor();
    assertQuiet();
  });

  if (isWholeRun)
    it('ignores a change filter whose value is not an ID', async () => {
      const { page } = await open('/findings?new_in=latest');
      await page.getByText('invalid and were ignored: New in “latest”.').waitFor();
      await waitForCount(page, '5 findings');
    });

  it('shows the changes of a finding, newest first, with the scan and the upload that caused them', async () => {
    const shown = await open(`/findings?finding=${await idOf('back')}`);
    const { page, assertQuiet } = shown;
    const history = historyOf(page);
    await history.getByText('Reopened with status Fail').waitFor();
    const source = (days: number) => `${days} days ago · View scan · View upload`;
    assert.deepEqual(await changesOf(page), [
      `Reopened with status Fail\n${source(2)}`,
      `Resolved: absent from a complete upload\n${source(4)}`,
      `First seen with status Fail\n${source(6)}`,
    ]);
    assert.equal(await history.getByRole('definition').innerText(), source(2));
    assert.equal(await history.getByRole('button', { name: 'Show more' }).count(), 0);
    const links = await history.getByRole('listitem').getByRole('link', { name: 'View upload' }).all();
    assert.deepEqual(
      await Promise.all(links.map((link) => link.getAttribute('href'))),
      uploads.toReversed().map((id) => `/ingestions/${id}`),
    );
    await assertAccessibleInAllModes(shown);
    for (const [uid, change] of [
      ['worse', 'Regressed: Pass to Fail'],
      ['better', 'Fixed: Fail to Pass'],
    ] as const) {
      await page.goto(`${service.url}/findings?finding=${await idOf(uid)}`);
      await historyOf(page).getByText(change).waitFor();
    }
    assertQuiet();
  });

  it('names muting and other status changes, and loads older changes on request', async () => {
    const account = { cloud: { account: { uid: 'flapping' } } };
    const states = [
      ['MANUAL', 1],
      ['PASS', 1],
      ['PASS', 3],
      ['PASS', 1],
      ...['FAIL', 'PASS', 'FAIL', 'PASS', 'FAIL', 'PASS', 'FAIL'].map((status) => [status, 1] as const),
      ['FAIL', 3],
    ] as const;
    for (const [index, [status, status_id]] of states.entries())
      await client.ingest([seen('flapping', 20 - index, status, { status_id, ...account })]);
    const { page, assertQuiet } = await open(`/findings?finding=${await idOf('flapping')}`);
    const history = historyOf(page);
    await history
      .getByText('First seen')
      .or(history.getByRole('button', { name: 'Show more' }))
      .waitFor();
    assert.equal((await changesOf(page)).length, 10);
    await history.getByRole('button', { name: 'Show more' }).click();
    await history.getByText('First seen').waitFor();
    assert.equal(await history.getByRole('button', { name: 'Show more' }).count(), 0);
    assert.deepEqual(
      (await changesOf(page)).map((text) => text.split('\n')[0]),
      [
        'Muted',
        'Regressed: Pass to Fail',
        ...Array.from({ length: 3 }, () => ['Fixed: Fail to Pass', 'Regressed: Pass to Fail']).flat(),
        'Unmuted',
        'Muted',
        'Status changed: Manual to Pass',
        'First seen with status Manual',
      ],
    );
    assertQuiet();
  });

  it('shows that a user resolved a finding', async () => {
    const { body } = await client.get<readonly Resource[]>('/providers?filter[account]=flapping');
    const id = body.data[0]?.id ?? assert.fail('no provider');
    const data = { type: 'providers', id, attributes: { product: 'Example scanner' } };
    assert.equal((await client.document('POST', `/providers/${id}/resolve`, data)).status, 202);
    const finding = await idOf('flapping');
    await until(
      async () =>
        (await client.get<Resource>(`/findings/${finding}`)).body.data.attributes.state === 'resolved',
    );
    const { page, assertQuiet } = await open(`/findings?finding=${finding}`);
    await historyOf(page).getByText('Resolved by a user').waitFor();
    const [latest] = await changesOf(page);
    assert.match(latest ?? '', /^Resolved by a user\n[^·]+$/);
    assertQuiet();
  });

  if (isWholeRun)
    it('omits the changes of scans and uploads that an earlier release accepted', async () => {
      const [upload] = uploads;
      await service.sql('update scans set change_counts = null where ingestion_id = $1', [upload]);
      await service.sql('update ingestions set change_counts = null where id = $1', [upload]);
      const { page, assertQuiet } = await open(`/scans?ingestion=${upload}`);
      await page.getByText('1 scan', { exact: true }).waitFor();
      assert.equal((await readRows(page, 'Scans'))[0]?.at(-1), 'Not counted');
      const changes = page.getByRole('region', { name: 'Changes to findings' });
      await page.getByRole('link', { name: 'Production' }).first().click();
      await page.getByRole('region', { name: 'Details' }).waitFor();
      assert.equal(await changes.count(), 0);
      await page.goto(`${service.url}/ingestions/${upload}`);
      await page.getByText('All records in this file are valid.').waitFor();
      assert.equal(await changes.count(), 0);
      assertQuiet();
    });
});
