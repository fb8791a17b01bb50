import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { ageJob } from '../../../../server/test/support/aged-data.ts';
import { type Client, createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { holdPending, holdProcessing } from '../../../../server/test/support/held-jobs.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { exampleFile, pickFiles, readDownload } from '../../support/files.ts';
import { createRestrictedKeys } from '../../support/restricted-keys.ts';
import { startBrowser } from '../../support/start-browser.ts';

const PHONE = { width: 390, height: 844 };

describe('uploads pages', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let client: Client;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const open = (path = '/ingestions', options = {}) => openConsole(browser, service, { path, ...options });
  const table = (page: Page) => page.getByRole('table', { name: 'Uploads' });
  const filesOf = async (page: Page) => await table(page).getByRole('link').allTextContents();

  it('explains how to upload the first file and shows the upload automatically', async () => {
    const { page, assertQuiet, assertAccessible } = await open();
    await page.getByRole('heading', { name: 'No uploads yet' }).waitFor();
    await page.getByText(`-F file=@findings.ocsf.json ${service.url}/api/v1/ingestions`).waitFor();
    await page.getByText(`SCANNER_CLOUD_API_BASE_URL=${service.url} npx scanner push`).waitFor();
    assert.ok(!(await page.content()).includes(service.key));
    await assertAccessible();
    await pickFiles(page, await exampleFile());
    const row = table(page).getByRole('row', { name: /findings\.ocsf\.json/ });
    await row.getByText('Completed').waitFor();
    assertQuiet();
  });

  it('updates the list of uploads while an upload is being processed', async () => {
    const releasePending = await holdPending(service);
    const { body } = await client.upload([record(), 'no record'], { fileName: 'live.ocsf.json' });
    const { page, assertQuiet, assertAccessible } = await open();
    const row = table(page).getByRole('row', { name: /live\.ocsf\.json/ });
    await row.getByText('Pending').waitFor();
    const releaseProcessing = await holdProcessing(service);
    await releasePending();
    await row.getByText('Processing').waitFor();
    await row.getByRole('progressbar', { name: 'Records processed' }).waitFor();
    await assertAccessible();
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'live.ocsf.json', level: 1 }).waitFor();
    await page.getByText('No errors so far').waitFor();
    await assertAccessible();
    await releaseProcessing();
    await page.getByRole('region', { name: 'Changes to findings' }).waitFor();
    await page.getByRole('table', { name: 'Error list' }).getByText('invalid_type').waitFor();
    await page.getByRole('region', { name: 'Summary' }).getByText('With errors').waitFor();
    assert.equal((await client.ended(body.data.id)).attributes.status, 'failed');
    assertQuiet();
  });

  if (isWholeRun)
    it('shows uploads whose status this version does not know', async () => {
      const { page, assertQuiet } = await open();
      await table(page).waitFor();
      await page.route(/\/api\/v1\/ingestions[/?]/, async (route) => {
        const body = (await (await route.fetch()).text()).replaceAll(
          '"status":"completed"',
          '"status":"archived"',
        );
        await route.fulfill({ contentType: 'application/vnd.api+json', body });
      });
      await page.reload();
      const row = table(page).getByRole('row', { name: /findings\.ocsf\.json/ });
      await row.getByText('archived', { exact: true }).waitFor();
      await row.getByRole('link').click();
      await page.getByRole('region', { name: 'Summary' }).getByText('archived', { exact: true }).waitFor();
      assertQuiet();
    });

  it('filters, searches, sorts and paginates uploads, and keeps the state in the URL', async () => {
    const { page, assertQuiet } = await open();
    await table(page).waitFor();
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'With errors' }).click();
    await page.waitForURL('**/ingestions?status=failed');
    await page.keyboard.press('Escape');
    await table(page).getByText('findings.ocsf.json').waitFor({ state: 'detached' });
    assert.deepEqual(await filesOf(page), ['live.ocsf.json']);
    await page.goBack();
    await table(page).getByText('findings.ocsf.json').waitFor();
    assert.deepEqual(await filesOf(page), ['live.ocsf.json', 'findings.ocsf.json']);
    await page.getByRole('button', { name: 'Uploaded' }).click();
    await page.waitForURL('**/ingestions?sort=requested_at');
    await table(page).getByRole('row').nth(1).getByText('findings.ocsf.json').waitFor();
    await page.getByRole('searchbox', { name: 'Search by file name or upload ID' }).fill('nothing like it');
    await page.getByRole('heading', { name: 'No uploads match these filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await table(page).getByText('findings.ocsf.json').waitFor();
    await page.getByLabel('Uploaded from (UTC)').fill('2100-01-01');
    await page.getByRole('heading', { name: 'No uploads match these filters' }).waitFor();
    assert.match(page.url(), /from=2100-01-01/);
    await page.goto(`${service.url}/ingestions?status=unknown&from=someday&page=x&sort=color`);
    await table(page).getByText('findings.ocsf.json').waitFor();
    await page.goto(`${service.url}/ingestions?page=7`);
    await page.getByRole('button', { name: 'Go to first page' }).click();
    await table(page).getByText('findings.ocsf.json').waitFor();
    assertQuiet();
  });

  it('shows an upload with counts, sizes and links, and downloads its file unchanged', async () => {
    const text = JSON.stringify([record(), record({ finding_info: { uid: 'second' } })], undefined, 2);
    const fileName = '<img src=x onerror=alert(1)>.ocsf.json.gz';
    const { id } = await client.ingest(gzipSync(text), { fileName });
    for (const colorScheme of isWholeRun ? (['light', 'dark'] as const) : (['light'] as const)) {
      const { page, assertQuiet, assertAccessible } = await open(`/ingestions/${id}`, {
        colorScheme,
        ...(colorScheme === 'dark' && { viewport: PHONE }),
      });
      await page.getByRole('heading', { name: fileName, level: 1 }).waitFor();
      const summary = page.getByRole('region', { name: 'Summary' });
      await summary.getByText('Completed').first().waitFor();
      await summary.getByText(`${(text.length / 1024).toFixed(1)} KiB`).waitFor();
      await page.getByText('All records in this file are valid.').waitFor();
      const href = (name: string) => page.getByRole('main').getByRole('link', { name }).getAttribute('href');
      assert.equal(await href('View findings'), `/findings?ingestion=${id}`);
      assert.equal(await href('View scans'), `/scans?ingestion=${id}`);
      await assertAccessible();
      const started = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download file' }).click();
      const download = await started;
      const saved = await readDownload(download);
      assert.equal(saved, text);
      assertQuiet();
    }
  });

  itInWholeRun('reports an expired file and an unknown upload', async () => {
    const { id } = await client.ingest([record({ class_uid: 1 })], { fileName: 'old.ocsf.json' });
    await ageJob(service, id, 40);
    await service.sluiceJson('gc');
    const { page, assertQuiet, assertAccessible } = await open(`/ingestions/${id}`);
    await page.getByRole('button', { name: 'Download file' }).click();
    const dialog = page.getByRole('dialog', { name: "Can't download the file" });
    await dialog.getByText(/was removed after its retention period/).waitFor();
    await assertAccessible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('table', { name: 'Error list' }).getByRole('link', { name: '0' }).click();
    await page
      .getByRole('dialog')
      .getByText(/was removed after its retention period/)
      .waitFor();
    await page.goto(`${service.url}/ingestions/0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11`);
    await page.getByText('No ingestion has this ID.').waitFor();
    assertQuiet();
  });

  if (isWholeRun)
    it("explains why uploads can't be listed without a subscription (402) or permission (403)", async () => {
      const { withoutSubscription, withoutPermission } = await createRestrictedKeys(service);
      for (const [key, title] of [
        [withoutSubscription, 'No active subscription'],
        [withoutPermission, 'Permission denied'],
      ] as const) {
        const { page, assertQuiet, assertAccessible } = await open('/ingestions', { key, viewport: PHONE });
        await page.getByRole('alert').getByText(title, { exact: true }).waitFor();
        assert.equal(await page.getByRole('table').count(), 0);
        await assertAccessible();
        assertQuiet();
      }
    });

  itInWholeRun(
    'shows the labels of an upload on its page and on those of its scans, with web addresses as links',
    async () => {
      const url = 'https://ci.example.com/jobs/7';
      const label = ['branch=main', `pipeline=${url}`, 'script=javascript:alert(1)'];
      const { id } = await client.ingest([record()], { parts: { label } });
      const scans = await client.get<{ id: string }[]>(`/scans?filter[ingestion]=${id}`);
      for (const path of [`/ingestions/${id}`, `/scans/${scans.body.data[0]?.id}`]) {
        const { page, assertQuiet, assertAccessible } = await open(path);
        await page.getByText('main', { exact: true }).waitFor();
        await page.getByText('branch', { exact: true }).waitFor();
        await page.getByText('javascript:alert(1)').waitFor();
        const link = page.getByRole('link', { name: url, exact: true });
        assert.equal(await link.getAttribute('href'), url);
        assert.equal(await page.locator('a[href^="javascript"]').count(), 0);
        await assertAccessible();
        assertQuiet();
      }
    },
  );

  it('lists the uploads and scans with a label, from links on the page of an upload and of a scan', async () => {
    const long = 'long'.repeat(200);
    const label = [`note=a comma, and = ${long}`, 'branch=feature/labels', 'list=a,b=c'];
    const { id } = await client.ingest([record()], { fileName: 'labeled.ocsf.json', parts: { label } });
    await client.ingest([record()], { parts: { label: 'branch=feature/labels-2' } });
    const scans = await client.get<{ id: string }[]>(`/scans?filter[ingestion]=${id}`);
    for (const [resource, path, noun] of [
      ['ingestions', `/ingestions/${id}`, 'Uploads'],
      ['scans', `/scans/${scans.body.data[0]?.id}`, 'Scans'],
    ] as const) {
      const console = await open(path);
      const { page, assertQuiet } = console;
      const link = page.getByRole('link', { name: `${noun} with the label` });
      await link.first().waitFor();
      // The API would read the third label as two labels.
      assert.deepEqual(await link.evaluateAll((all) => all.map((each) => each.getAttribute('href'))), [
        `/${resource}?label=note=a+comma,+and+=+${long}`,
        `/${resource}?label=branch=feature%2Flabels`,
      ]);
      await assertAccessibleInAllModes(console);
      for (const [index, text] of label.slice(0, isWholeRun ? 2 : 1).entries()) {
        await page.goto(`${service.url}${path}`);
        await link.nth(index).click();
        await page.getByText(`1 ${resource === 'scans' ? 'scan' : 'upload'}`, { exact: true }).waitFor();
        await page.getByRole('row', { name: /labeled\.ocsf\.json/ }).waitFor();
        const chips = page.getByRole('list', { name: 'Active filters' });
        await chips.getByText(`Label: ${text}`, { exact: true }).waitFor();
        if (index === 0) await assertAccessibleInAllModes(console);
        await chips.getByRole('button', { name: `Remove filter Label: ${text}` }).click();
        await page.waitForURL(`**/${resource}`);
        await chips.waitFor({ state: 'detached' });
      }
      await page.goto(`${service.url}/${resource}?label=branch=none`);
      await page.getByRole('heading', { name: `No ${noun.toLowerCase()} match these filters` }).waitFor();
      await page.goto(`${service.url}/${resource}?label=invalid`);
      await page.getByRole('row', { name: /labeled\.ocsf\.json/ }).waitFor();
      assert.equal(await page.getByRole('list', { name: 'Active filters' }).count(), 0);
      assertQuiet();
    }
  });

  itInWholeRun('explains the coverage of an upload unless it is partial', async () => {
    const scanned = record({ metadata: { product: { name: 'Example scanner' } } });
    const texts = [
      ['account', 'All findings of each account and product in the file.'],
      ['checks', 'All findings of each account, product and check in the file.'],
    ] as const;
    for (const [coverage, text] of isWholeRun ? texts : texts.slice(0, 1)) {
      const { id } = await client.ingest([scanned], { parts: { coverage, label: 'branch=main' } });
      const { page, assertQuiet, assertAccessible } = await open(`/ingestions/${id}`);
      await page.getByText(text).waitFor();
      await page.getByText('Coverage', { exact: true }).waitFor();
      await assertAccessible();
      assertQuiet();
    }
    const { id } = await client.ingest([scanned], { parts: { label: 'branch=main' } });
    const { page } = await open(`/ingestions/${id}`);
    await page.getByText('branch', { exact: true }).waitFor();
    assert.equal(await page.getByText('Coverage', { exact: true }).count(), 0);
  });
});
