import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../../../server/test/support/client.ts';
import { withoutBrowser } from '../../../../server/test/support/find-browser.ts';
import { createKey, createUser } from '../../../../server/test/support/operator.ts';
import { record } from '../../../../server/test/support/records.ts';
import { createSandbox } from '../../../../server/test/support/sandbox.ts';
import type { Service } from '../../../../server/test/support/service.ts';
import { closeConsoles, openConsole } from '../../support/browser.ts';
import { startFaultyProxy } from '../../support/faulty-proxy.ts';
import { exampleFile, localFile, pickFiles, throttleUploads } from '../../support/files.ts';
import { createRestrictedKeys } from '../../support/restricted-keys.ts';
import { startBrowser } from '../../support/start-browser.ts';

const MIB = 2 ** 20;
const SETTINGS = { SLUICE_WORKERS: '1', SLUICE_INFLATED_MAX_BYTES: String(4 * MIB) };

describe('upload failures', { skip: withoutBrowser }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let browser: Browser;
  // The service prints the key and the tenant ID only on its first start.
  let key: string;
  let tenantId: string;
  before(async () => {
    [service, browser] = await Promise.all([sandbox.startService(SETTINGS), startBrowser()]);
    ({ key, tenantId } = service);
  });
  afterEach(() => closeConsoles(browser));
  after(async () => {
    await browser.close();
    await sandbox.clear();
  });

  const openUploads = async (options: { readonly url?: string; readonly key?: string } = {}) => {
    const opened = await openConsole(
      browser,
      { url: service.url, key, ...options },
      { path: '/ingestions', fresh: true },
    );
    await opened.page.getByRole('heading', { name: 'Uploads', level: 1 }).waitFor();
    return opened;
  };
  const rowOf = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Upload progress' }).getByRole('listitem', { name });
  const countJobs = async (name: string) => {
    const { body } = await createClient(service.url, key).get<unknown[]>(
      `/ingestions?filter[search]=${name}`,
    );
    return body.data.length;
  };

  it('creates only one job for an upload that is interrupted by a service restart', async () => {
    const { page, assertQuiet } = await openUploads();
    await throttleUploads(page, MIB / 2);
    await pickFiles(page, localFile('restart.json', JSON.stringify([record()]).padEnd(2 * MIB, ' ')));
    await rowOf(page, 'restart.json')
      .getByText(/^[1-9]\d?% uploaded$/)
      .waitFor();
    const { port } = new URL(service.url);
    await service.end('SIGKILL');
    await rowOf(page, 'restart.json')
      .getByText(/Can't reach Sluice\. Retrying in \d+ s/)
      .waitFor();
    await throttleUploads(page, null);
    service = await sandbox.startService({ ...SETTINGS, PORT: port }, service.dataDir);
    await rowOf(page, 'restart.json').getByText('1 record, no errors').waitFor();
    assert.equal(await countJobs('restart.json'), 1);
    assertQuiet();
  });

  it('creates only one job if the response to the first attempt is lost', async (t) => {
    const proxy = await startFaultyProxy(service.url);
    t.after(() => proxy.stop());
    const { page, assertQuiet } = await openUploads({ url: proxy.url });
    proxy.cutResponse(202);
    await pickFiles(page, await exampleFile('lost.ocsf.json'));
    await rowOf(page, 'lost.ocsf.json').getByText('12 records, no errors').waitFor();
    assert.equal(proxy.cuts(), 1);
    assert.equal(await countJobs('lost.ocsf.json'), 1);
    assertQuiet();
  });

  it('shows upload errors 402, 403 and 413 with a retry button', async () => {
    const { withoutSubscription, withoutPermission } = await createRestrictedKeys(service);
    const compressed = localFile('compressed.json.gz', gzipSync('[1]'.padEnd(5 * MIB, ' ')));
    for (const [each, file, message] of [
      [withoutSubscription, await exampleFile(), /no active subscription/],
      [withoutPermission, await exampleFile(), /lacks the permission manage_ingestions/],
      [key, compressed, /the maximum is 4194304 bytes/],
    ] as const) {
      const { page, assertQuiet } = await openUploads({ key: each });
      await pickFiles(page, file);
      const row = rowOf(page, file.name);
      await row.getByText(message).waitFor();
      const [retry] = await Promise.all([
        page.waitForRequest((sent) => sent.method() === 'POST'),
        row.getByRole('button', { name: 'Try again' }).click(),
      ]);
      await retry.response();
      await row.getByText(message).waitFor();
      assertQuiet();
    }
  });

  it('retries an upload automatically after a 503 and on request after a 507', async () => {
    const { page, assertQuiet } = await openUploads();
    const responses = [
      { status: 503, code: 'too_many_uploads', detail: 'Too many uploads', seconds: '2' },
      { status: 507, code: 'insufficient_storage', detail: 'The storage is full', seconds: '60' },
    ];
    const keys: (string | undefined)[] = [];
    await page.route('**/api/v1/ingestions', async (route) => {
      if (route.request().method() !== 'POST') return await route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      const response = responses.shift();
      if (response === undefined) return await route.continue();
      const { status, seconds, ...error } = response;
      await route.fulfill({
        status,
        headers: { 'retry-after': seconds, 'content-type': 'application/vnd.api+json' },
        body: JSON.stringify({ errors: [{ id: 'x', status: String(status), title: 'x', ...error }] }),
      });
    });
    await pickFiles(page, await exampleFile('again.ocsf.json'));
    const row = rowOf(page, 'again.ocsf.json');
    await row.getByText('Too many uploads. Retrying in 2 s.').waitFor();
    await row.getByText('The storage is full.', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Try again' }).click();
    await row.getByText('12 records, no errors').waitFor();
    assert.equal(keys.length, 3);
    assert.match(keys[0] ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(new Set(keys).size, 1);
    assertQuiet();
  });

  it('ends the session with a message if an upload fails because the API key was revoked', async () => {
    await createUser(service, tenantId, 'other@example.com');
    const other = await createKey(service, tenantId, 'other@example.com');
    const { page, assertQuiet } = await openUploads({ key: other });
    await pickFiles(page, await exampleFile('before.ocsf.json'));
    await rowOf(page, 'before.ocsf.json').getByText('12 records, no errors').waitFor();
    // Only the upload and the subscription request that validates the key reach the service.
    await page.route(/\/api\/v1\/(?!subscription)/, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await service.sluiceJson('api-key', 'revoke', '--tenant', tenantId, other.split('.')[0] ?? '');
    await pickFiles(page, await exampleFile('after.ocsf.json'));
    await page.getByText(/You were signed out/).waitFor();
    await page.getByText(/was revoked/).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Upload progress' }).count(), 0);
    assert.equal(await countJobs('after.ocsf.json'), 0);
    assertQuiet();
  });
});
