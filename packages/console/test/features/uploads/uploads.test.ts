import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { type Client, createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { isWholeRun, itInWholeRun } from '../../../../server/test/support/is-whole-run.ts';
import { record } from '../../../../server/test/support/records.ts';
import { createSandbox } from '../../../../server/test/support/sandbox.ts';
import type { Service } from '../../../../server/test/support/service.ts';
import { assertAccessibleInAllModes } from '../../support/assert-accessible.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { dragFiles, exampleFile, localFile, pickFiles } from '../../support/files.ts';
import { startBrowser } from '../../support/start-browser.ts';

const MIB = 2 ** 20;
const PHONE = { width: 390, height: 844 };

describe('file uploads', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([
      sandbox.startService({ SLUICE_WORKERS: '1', SLUICE_UPLOAD_MAX_BYTES: String(2 * MIB) }),
      startBrowser(),
    ]);
    client = createClient(service.url, service.key);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await sandbox.clear();
  });

  const listJobs = async () =>
    (await client.get<{ meta: { file_name: string } }[]>('/ingestions?page[size]=100')).body;
  const findJobs = async (name: string) =>
    (await listJobs()).data.filter(({ meta }) => meta.file_name === name);

  it('uploads files dropped on any page, and explains why an invalid file is rejected', async () => {
    for (const colorScheme of isWholeRun ? (['light', 'dark'] as const) : (['light'] as const)) {
      const { page, assertQuiet, assertAccessible } = await openConsole(browser, service, {
        path: '/providers',
        colorScheme,
      });
      await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor();
      const { drag } = await dragFiles(
        page,
        await exampleFile(`good-${colorScheme}.ocsf.json`),
        localFile('bad.ocsf.json', '"a text"'),
        localFile('mixed.ocsf.json', [record(), record({ class_uid: 2003 }), 'no record']),
      );
      await drag('dragover');
      await page.getByText('Drop files to upload').waitFor();
      await assertAccessible();
      await drag('dragleave');
      await page.getByText('Drop files to upload').waitFor({ state: 'detached' });
      await drag('dragover');
      await drag('drop');
      await page.getByText('Drop files to upload').waitFor({ state: 'detached' });
      const tray = page.getByRole('region', { name: 'Upload progress' });
      const row = (name: string) => tray.getByRole('listitem', { name });
      await row('bad.ocsf.json')
        .getByText(/starts with neither “\[” nor “\{”/)
        .waitFor();
      await row(`good-${colorScheme}.ocsf.json`).getByText('12 records, no errors').waitFor();
      await row('mixed.ocsf.json').getByText('3 records, 2 with errors').waitFor();
      await tray.getByRole('heading', { name: '2 of 3 files uploaded' }).waitFor();
      await assertAccessible();
      assert.deepEqual(await findJobs('bad.ocsf.json'), []);
      await row('mixed.ocsf.json').getByRole('link', { name: 'mixed.ocsf.json' }).click();
      await page.getByRole('heading', { name: 'mixed.ocsf.json', level: 1 }).waitFor();
      await tray.getByRole('button', { name: 'Close uploads' }).click();
      await tray.waitFor({ state: 'detached' });
      assertQuiet();
    }
  });

  it('shows and announces how an upload changed findings, but not for a dry run', async () => {
    const findings = (time: number, ...statuses: readonly string[]) =>
      statuses.map((status_code, at) =>
        record({ status_code, time: 1_780_000_000 + time, finding_info: { uid: `changed-${at}` } }),
      );
    await client.ingest(findings(0, 'FAIL', 'PASS', 'FAIL'));
    const console = await openConsole(browser, service, { path: '/ingestions' });
    const { page, assertQuiet } = console;
    const tray = page.getByRole('region', { name: 'Upload progress' });
    const upload = async (name: string, records: readonly unknown[]) => {
      await pickFiles(page, localFile(name, records));
      return tray.getByRole('listitem', { name });
    };
    const changed = await upload('changed.json', findings(60, 'FAIL', 'FAIL', 'PASS', 'FAIL', 'PASS'));
    const changes = 'Findings: 1 regressed, 2 new, 1 fixed; 2 newly failing';
    await changed.getByText(changes, { exact: true }).waitFor();
    await tray
      .getByRole('log')
      .getByText(`changed.json processed: 5 records, no errors. ${changes}`)
      .waitFor();
    await assertAccessibleInAllModes(console);
    const unchanged = await upload('unchanged.json', findings(120, 'FAIL', 'FAIL'));
    await unchanged.getByText('Findings: 2 unchanged', { exact: true }).waitFor();
    const invalid = await upload('invalid.json', ['no record']);
    await invalid.getByText('1 record, 1 with errors').waitFor();
    assert.equal(await invalid.getByText('Findings:').count(), 0);
    await page.route('**/api/v1/ingestions/*', async (route) => {
      const body = (await (await route.fetch()).text()).replace('"dry_run":false', '"dry_run":true');
      await route.fulfill({ contentType: 'application/vnd.api+json', body });
    });
    const dryRun = await upload('dry-run.json', findings(180, 'PASS'));
    await dryRun.getByText('1 record, no errors').waitFor();
    assert.equal(await dryRun.getByText('Findings:').count(), 0);
    assertQuiet();
  });

  itInWholeRun('ignores dragged items that are not files', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/ingestions' });
    await page.getByRole('heading', { name: 'Uploads', level: 1 }).waitFor();
    const isPrevented = await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/plain', 'some text');
      const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
      return !document.body.dispatchEvent(event);
    });
    assert.equal(isPrevented, false);
    assert.equal(await page.getByText('Drop files to upload').count(), 0);
    assertQuiet();
  });

  itInWholeRun(
    'checks the name, size and first bytes of files before the upload, and accepts gzip and zstd',
    async () => {
      const { page, assertQuiet, assertAccessible } = await openConsole(browser, service, {
        path: '/ingestions',
        viewport: PHONE,
      });
      const example = await exampleFile();
      let uploads = 0;
      page.on('request', (request) => {
        if (request.method() === 'POST') uploads++;
      });
      await pickFiles(
        page,
        localFile('notes.txt', '[]'),
        localFile('empty.json', ''),
        localFile('large.json', '['.padEnd(2 * MIB + 1, ' ')),
        localFile('text.json', 'findings'),
        localFile('packed.ocsf.json.gz', gzipSync(example.buffer)),
        localFile('packed.zst', zstdCompressSync(example.buffer)),
        localFile('marked.json', `\ufeff \n${JSON.stringify([record()])}`),
        localFile('lines.ndjson', `${JSON.stringify(record())}\n`),
      );
      const tray = page.getByRole('region', { name: 'Upload progress' });
      const messages = {
        'notes.txt': /Unsupported file type\..*ends in \.json, \.ndjson or \.jsonl, or/,
        'empty.json': 'The file is empty.',
        'large.json': /\(2 MiB\) exceeds the limit of 2 MiB\. Compress it/,
        'text.json': /starts with neither “\[” nor “\{”/,
        'packed.ocsf.json.gz': '12 records, no errors',
        'packed.zst': '12 records, no errors',
        'marked.json': '1 record, no errors',
        'lines.ndjson': '1 record, no errors',
      };
      for (const [name, text] of Object.entries(messages))
        await tray.getByRole('listitem', { name, exact: true }).getByText(text).waitFor();
      for (const name of ['notes.txt', 'empty.json', 'large.json', 'text.json'])
        assert.deepEqual(await findJobs(name), []);
      // The service would reject these files with similar messages.
      assert.equal(uploads, 4);
      await assertAccessible();
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      assert.ok((scrollWidth ?? 0) <= (clientWidth ?? 0), 'The page scrolls horizontally');
      assertQuiet();
    },
  );

  itInWholeRun('renders file names as text and announces upload milestones to screen readers', async () => {
    const name = `<img src=x onerror="alert(1)">.ocsf.json`;
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/ingestions' });
    await pickFiles(page, await exampleFile(name));
    const tray = page.getByRole('region', { name: 'Upload progress' });
    await tray.getByRole('listitem', { name }).getByText('12 records, no errors').waitFor();
    const log = tray.getByRole('log');
    await log.getByText(`${name} uploaded. Processing will start soon.`).waitFor();
    await log.getByText(`${name} processed: 12 records, no errors`).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await tray.getByRole('button', { name: 'Collapse uploads' }).click();
    await tray.getByRole('list').waitFor({ state: 'hidden' });
    await tray.getByRole('button', { name: 'Expand uploads' }).click();
    await tray.getByRole('listitem').first().waitFor();
    assertQuiet();
  });
});
