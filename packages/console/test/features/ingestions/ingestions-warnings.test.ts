import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient, type IngestionError } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { readDownload } from '../../support/files.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { readRows } from '../../support/read-rows.ts';
import { startBrowser } from '../../support/start-browser.ts';

interface Warning extends IngestionError {
  readonly attributes: IngestionError['attributes'] & { readonly record_count: number | null };
}

const named = (uid: string, members: Readonly<Record<string, unknown>> = {}) =>
  record({ finding_info: { uid }, ...members });
/** The file of the last element lacks the required attribute `type_id`. */
const EVIDENCES = [{}, { file: { name: 'a', type_id: 1 } }, { file: { name: 'b' } }];

describe('upload warnings', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let client: Client;
  let browser: Browser;
  let id: string;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
    client = createClient(service.url, service.key);
    const records = [
      named('complete'),
      named('incomplete-1', { evidences: EVIDENCES }),
      named('incomplete-2', { evidences: EVIDENCES }),
      named('unusual', { severity_id: 'severe', category_uid: null }),
    ];
    // The coverage is not applied, because the records do not name their product.
    const options = { fileName: 'warned.ocsf.json', parts: { coverage: 'account' } };
    id = (await client.ingest(records, options)).id;
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  const open = (path: string) => openConsole(browser, service, { path });
  const listWarnings = async () =>
    (await client.get<Warning[]>(`/ingestions/${id}/warnings`)).body.data.map(({ attributes }) => attributes);

  it('lists, filters and exports the warnings of an upload, in addition to its errors', async () => {
    const console = await open(`/ingestions/${id}`);
    const { page, assertQuiet } = console;
    await page.getByText('All records in this file are valid.').waitFor();
    await page.getByRole('button', { name: 'Errors (0)', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Warnings (5)', pressed: false }).click();
    await page.waitForURL(`**/ingestions/${id}?problems=warnings`);
    await page.getByRole('heading', { name: 'Warnings', level: 2 }).waitFor();
    await page.getByText('4 warnings').waitFor();
    const warnings = await listWarnings();
    assert.deepEqual(
      warnings.map(({ code, pointer, record_index, record_count }) => [
        code,
        pointer,
        record_index,
        record_count,
      ]),
      [
        ['coverage_not_applied', '', null, null],
        ['missing_required_attribute', '/evidences/*/file/type_id', 1, 2],
        ['invalid_value', '/severity_id', 3, 1],
        ['missing_required_attribute', '/category_uid', 3, 1],
      ],
    );
    assert.deepEqual(
      await readRows(page, 'Warning list'),
      warnings.map(({ record_index, code, detail, pointer, finding_uid, record_count, byte_offset }) => [
        record_index === null ? 'File' : String(record_index),
        code,
        detail,
        pointer,
        finding_uid ?? '',
        record_count === null ? '–' : String(record_count),
        byte_offset.toLocaleString('en-US'),
      ]),
    );
    // All warnings are stored, although they are about more records than there are rows.
    assert.equal(await page.getByText('Only the first').count(), 0);
    await assertAccessibleInAllModes(console);
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export warnings as CSV' }).click();
    const download = await started;
    assert.equal(download.suggestedFilename(), 'warned.ocsf.json.warnings.csv');
    const [header, ...rows] = parseCsv(await readDownload(download));
    assert.equal(header?.at(-1), 'record_count');
    assert.deepEqual(
      rows.map((row) => row.at(-1)),
      ['', '2', '1', '1'],
    );
    await page.getByRole('button', { name: 'Code', exact: true }).first().click();
    await page.getByRole('menuitemcheckbox', { name: 'missing_required_attribute 3' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('2 warnings').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByText('4 warnings').waitFor();
    assert.ok(page.url().endsWith(`/ingestions/${id}?problems=warnings`));
    await page.getByRole('button', { name: 'Errors (0)' }).click();
    await page.getByText('All records in this file are valid.').waitFor();
    assert.ok(page.url().endsWith(`/ingestions/${id}`));
    assertQuiet();
  });

  it('opens a warning about the file, about several records, and about one record', async () => {
    const { page, assertQuiet, assertAccessible } = await open(`/ingestions/${id}?problems=warnings`);
    await page.getByRole('table').getByRole('link', { name: 'File' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('heading', { name: 'File warning' }).waitFor();
    await panel.getByText('No findings were resolved: no record names its product').waitFor();
    assert.equal(await panel.getByText(/malformed|Byte offset/).count(), 0);
    const next = panel.getByRole('button', { name: 'Next warning' });
    await next.click();
    await panel.getByRole('heading', { name: 'Warning about 2 records' }).waitFor();
    await panel.getByText('2. The first one is shown.').waitFor();
    await panel.getByText('/evidences/2/file/type_id does not exist. Its parent is highlighted.').waitFor();
    assert.equal(await panel.locator('mark').textContent(), '"file": {');
    const text = await panel.locator('pre').textContent();
    assert.ok(text?.includes('"incomplete-1"'));
    assert.match(text?.split('"file": {').at(-1) ?? '', /^\s+"name": "b"/);
    await assertAccessible();
    await next.click();
    await panel.getByRole('heading', { name: 'Warning about record 3' }).waitFor();
    await panel.getByText('The value at /severity_id is highlighted.').waitFor();
    await next.click();
    await panel.getByText('The value at /category_uid is highlighted.').waitFor();
    assert.equal(await panel.locator('mark').textContent(), '"category_uid": null');
    await page.reload();
    await panel.getByText('The value at /category_uid is highlighted.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.ok(page.url().endsWith(`/ingestions/${id}?problems=warnings`));
    assertQuiet();
  });

  itInWholeRun(
    'explains that only the first warnings are stored, except for missing attributes',
    async () => {
      const { page, assertQuiet } = await open(`/ingestions/${id}`);
      await page.route('**/warnings?*', async (route) => {
        const body = (await (await route.fetch()).text()).replace('"invalid_value":1', '"invalid_value":70');
        await route.fulfill({ contentType: 'application/vnd.api+json', body });
      });
      await page.goto(`${service.url}/ingestions/${id}?problems=warnings`);
      await page
        .getByText(
          'Only the first 2 of 71 other warnings are stored and listed, in addition to those about missing attributes.',
        )
        .waitFor();
      assertQuiet();
    },
  );

  itInWholeRun('lists the errors of an upload without warnings, and does not offer warnings', async () => {
    const { id } = await client.ingest([record({ class_uid: 1 })]);
    const { page, assertQuiet } = await open(`/ingestions/${id}?problems=warnings`);
    await page.getByRole('table', { name: 'Error list' }).getByText('unsupported_class').waitFor();
    assert.equal(await page.getByRole('group', { name: 'Problem type' }).count(), 0);
    assertQuiet();
  });
});
