import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Download, Page } from 'playwright-core';
import { generateFindings } from '../../../../../tools/findings-generator/src/index.ts';
import { arrayFile } from '../../../../server/test/support/array-file.ts';
import { type Client, createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { CLIPBOARD, copyWith } from '../../support/clipboard.ts';
import { readDownload } from '../../support/files.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { startBrowser } from '../../support/start-browser.ts';

const PHONE = { width: 390, height: 844 };
const HOSTILE_UID = '=HYPERLINK("https://example.com","a,b"); @A1;\n=1';
/** `HOSTILE_UID` in CSV, where neither the cell nor the part after the semicolon is a formula. */
const ESCAPED_UID = `'=HYPERLINK("https://example.com","a,b");' @A1;\n'=1`;
const HOSTILE_TEXT = '<img src=x onerror="alert(1)">';

/** Each element except the first is invalid in a different way, and the file is truncated after the last one. */
const MALFORMED = arrayFile(
  [
    record(),
    JSON.stringify(record({ status_code: HOSTILE_TEXT, finding_info: { uid: HOSTILE_UID } })),
    JSON.stringify(record({ finding_info: { uid: undefined } })),
    '{bad json}',
    `{"class_uid": 2003.0, "big": 12345678901234567890, "text": "${'x'.repeat(70_000)}"}`,
    '[[1, 2]]',
  ],
  { end: '' },
);

describe('upload errors', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let client: Client;
  let browser: Browser;
  let malformed: string;
  let generated: string;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    malformed = (await client.ingest(MALFORMED.bytes, { fileName: 'malformed.ocsf.json' })).id;
    const many = Buffer.concat([...generateFindings({ records: 1800, invalidShare: 0.7, indent: 0 })]);
    generated = (await client.ingest(many, { fileName: 'many.ocsf.json' })).id;
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const open = (path: string, options = {}) => openConsole(browser, service, { path, ...options });
  const table = (page: Page) => page.getByRole('table', { name: 'Error list' });
  const codesOf = async (page: Page) =>
    new Set(await table(page).getByRole('cell').locator('code').allTextContents());

  itInWholeRun('lists, filters, sorts and paginates upload errors', async () => {
    const { counts } = await client.errors(generated);
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const [page, { assertQuiet, assertAccessible }] = await opened(open(`/ingestions/${generated}`));
    await table(page).waitFor();
    await page.getByText('Records are numbered from 0').waitFor();
    await page.getByText(`${all.toLocaleString('en-US')} errors, page 1 of ${Math.ceil(all / 50)}`).waitFor();
    assert.equal(await table(page).getByRole('row').count(), 51);
    await assertAccessible();
    await page.getByRole('button', { name: 'Code', exact: true }).first().click();
    const unsupported = counts.unsupported_class ?? 0;
    await page.getByRole('menuitemcheckbox', { name: `unsupported_class ${unsupported}` }).click();
    await page.keyboard.press('Escape');
    await page.getByText(`${unsupported} errors, page 1`).waitFor();
    assert.deepEqual(
      [...(await codesOf(page))].filter((text) => /^[a-z]/.test(text)),
      ['unsupported_class'],
    );
    assert.match(page.url(), /\?code=unsupported_class$/);
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.waitForURL(/sort=-record_index/);
    const { body } = await client.get<{ attributes: { record_index: number } }[]>(
      `/ingestions/${generated}/errors?filter[code]=unsupported_class&sort=-record_index`,
    );
    const last = body.data[0]?.attributes.record_index.toLocaleString('en-US') ?? '';
    await table(page).getByRole('row').nth(1).getByRole('link', { name: last, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove filter Code: unsupported_class' }).click();
    await page.getByText(`page 1 of ${Math.ceil(all / 50)}`).waitFor();
    assertQuiet();
  });

  itInWholeRun('opens an error next to the list and highlights the invalid value in its record', async () => {
    const [page, { assertQuiet, assertAccessible }] = await opened(open(`/ingestions/${malformed}`));
    await table(page).getByRole('link', { name: '1', exact: true }).click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('heading', { name: 'Error in record 1' }).waitFor();
    await panel.getByText('The value at /status_code is highlighted.').waitFor();
    assert.equal(await panel.locator('mark').textContent(), `"status_code": ${JSON.stringify(HOSTILE_TEXT)}`);
    assert.equal(await page.locator('img').count(), 0);
    assert.match(page.url(), new RegExp(`\\?problem=${malformed}\\.${MALFORMED.offsets[1]}\\.`));
    await assertAccessible();
    await panel.getByRole('button', { name: 'Next error' }).click();
    await panel.getByRole('heading', { name: 'Error in record 2' }).waitFor();
    await panel.getByText('/finding_info/uid does not exist. Its parent is highlighted.').waitFor();
    assert.equal(await panel.locator('mark').textContent(), '"finding_info": {');
    await panel.getByRole('button', { name: 'Next error' }).click();
    await panel.getByText('Shown exactly as uploaded.').waitFor();
    await panel.getByText('{bad json}', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Next error' }).click();
    await panel.getByText(/Only the beginning of this 68\.\d KiB record is shown/).waitFor();
    // Formatting the record does not change the notation of numbers.
    assert.equal(await panel.locator('mark').textContent(), '"class_uid": 2003.0');
    await panel.getByText('"big": 12345678901234567890,').waitFor();
    await panel.getByRole('button', { name: 'Next error' }).click();
    await panel.getByRole('heading', { name: 'Error in record 5' }).waitFor();
    await panel.getByRole('button', { name: 'Next error' }).click();
    await panel.getByRole('heading', { name: 'File error' }).waitFor();
    await panel.getByText(`go to byte ${MALFORMED.bytes.length.toLocaleString('en-US')}`).waitFor();
    await panel.getByRole('button', { name: 'Next error', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.equal(page.url(), `${service.url}/ingestions/${malformed}`);
    assertQuiet();
  });

  itInWholeRun(
    'opens an upload error by URL on a phone in dark mode, and reports an unknown error ID',
    async () => {
      const [first] = (await client.get<{ id: string }[]>(`/ingestions/${malformed}/errors`)).body.data;
      const options = {
        viewport: PHONE,
        colorScheme: 'dark',
        ...CLIPBOARD,
      };
      const [page, { assertQuiet, assertAccessible }] = await opened(
        open(`/ingestions/${malformed}?problem=${first?.id}`, options),
      );
      const panel = page.getByRole('dialog');
      await panel.locator('mark').waitFor();
      await assertAccessible();
      assert.equal(await copyWith(page, 'Copy pointer'), '/status_code');
      assert.equal(JSON.parse(await copyWith(page, 'Copy record')).finding_info.uid, HOSTILE_UID);
      await panel.getByRole('button', { name: 'Close' }).click();
      await panel.waitFor({ state: 'detached' });
      await assertAccessible();
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      assert.ok((scrollWidth ?? 0) <= (clientWidth ?? 0), 'The page scrolls horizontally');
      await page.goto(`${service.url}/ingestions/${malformed}?problem=none`);
      await page.getByText('Error not found on this page').waitFor();
      assertQuiet();
    },
  );

  it('exports the filtered errors as CSV and escapes formulas', async () => {
    const [page, { assertQuiet }] = await opened(open(`/ingestions/${malformed}`));
    await table(page).waitFor();
    const [head, ...rows] = parseCsv(await exportCsv(page));
    assert.deepEqual(head, ['record_index', 'byte_offset', 'pointer', 'code', 'detail', 'finding_uid']);
    const { errors } = await client.errors(malformed);
    assert.deepEqual(
      rows,
      errors.map(({ record_index, byte_offset, pointer, code, detail, finding_uid }) => [
        record_index === null ? '' : String(record_index),
        String(byte_offset),
        pointer ?? '',
        code,
        detail,
        finding_uid === HOSTILE_UID ? ESCAPED_UID : (finding_uid ?? ''),
      ]),
    );
    await page.goto(`${service.url}/ingestions/${generated}`);
    await table(page).waitFor();
    const { counts } = await client.errors(generated);
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    assert.ok(all > 1000, `${all} errors fit on one page`);
    assert.equal(parseCsv(await exportCsv(page)).length, all + 1);
    await page.goto(`${service.url}/ingestions/${generated}?code=required`);
    await page.getByText(`${counts.required} errors`).waitFor();
    const filtered = parseCsv(await exportCsv(page)).slice(1);
    assert.equal(filtered.length, counts.required);
    assert.deepEqual([...new Set(filtered.map((row) => row[3]))], ['required']);
    assertQuiet();
  });
});

async function opened(console: ReturnType<typeof openConsole>) {
  const { page, ...asserts } = await console;
  return [page, asserts] as const;
}

async function exportCsv(page: Page): Promise<string> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export errors as CSV' }).click();
  const download: Download = await started;
  assert.match(download.suggestedFilename(), /^(malformed|many)\.ocsf\.json\.errors\.csv$/);
  return await readDownload(download);
}
