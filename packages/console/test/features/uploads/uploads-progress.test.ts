import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { holdPending, holdProcessing } from '../../../../server/test/support/held-jobs.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { record } from '../../../../server/test/support/records.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { localFile, pickFiles, throttleUploads } from '../../support/files.ts';
import { startBrowser } from '../../support/start-browser.ts';

const MIB = 2 ** 20;

describe('upload progress', { skip: withoutBrowser }, () => {
  let service: SharedService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([joinService(), startBrowser()]);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await service.leave();
  });

  it('shows the progress of concurrent uploads and their jobs, and asks for confirmation before the page closes', async () => {
    const { page, assertQuiet } = await openConsole(browser, service, { path: '/ingestions', fresh: true });
    const releasePending = await holdPending(service);
    await throttleUploads(page, MIB / 2);
    const file = (name: string) => localFile(name, JSON.stringify([record()]).padEnd(1.5 * MIB, ' '));
    await pickFiles(page, file('first.json'), file('second.json'), file('third.json'));
    const tray = page.getByRole('region', { name: 'Upload progress' });
    const row = (name: string) => tray.getByRole('listitem', { name });
    await tray.getByRole('heading', { name: 'Uploading 3 files' }).waitFor();
    await row('first.json')
      .getByText(/^[1-9]\d?% uploaded$/)
      .waitFor();
    await row('second.json')
      .getByText(/^[1-9]\d?% uploaded$/)
      .waitFor();
    await row('third.json').getByText('Queued').waitFor();
    await row('first.json').getByRole('progressbar', { name: 'Uploading first.json' }).waitFor();
    const dialogType = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.dismiss();
      }),
    );
    await page.close({ runBeforeUnload: true });
    assert.equal(await dialogType, 'beforeunload');
    await row('second.json').getByRole('button', { name: 'Cancel upload of second.json' }).click();
    await row('second.json').getByText('Canceled').waitFor();
    await throttleUploads(page, null);
    await row('first.json').getByText('1 record, queued for processing').waitFor();
    await row('third.json').getByText('1 record, queued for processing').waitFor();
    await row('second.json').getByRole('button', { name: 'Try again' }).click();
    await row('second.json').getByText('1 record, queued for processing').waitFor();
    await tray.getByRole('heading', { name: 'Processing 3 files' }).waitFor();
    // The list on the page also shows the new uploads.
    await page.getByRole('table').getByRole('link', { name: 'second.json' }).waitFor();
    const releaseProcessing = await holdProcessing(service);
    await releasePending();
    await row('first.json').getByText('Processed 0 of 1 record').waitFor();
    await page.getByRole('table').getByText('Processing').first().waitFor();
    await releaseProcessing();
    for (const name of ['first.json', 'second.json', 'third.json'])
      await row(name).getByText('1 record, no errors').waitFor();
    await tray.getByRole('heading', { name: '3 files uploaded' }).waitFor();
    await page.getByRole('table').getByText('Processing').first().waitFor({ state: 'detached' });
    const { body } = await createClient(service.url, service.key).get<unknown[]>('/ingestions');
    assert.equal(body.data.length, 3);
    assertQuiet();
  });
});
