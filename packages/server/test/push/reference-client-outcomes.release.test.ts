import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  makeScanFolder,
  type ScanFolder,
  type ScannedOrganization,
} from '../../../scanner/test/cli/scan-folder.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { createUselessKeys, type UselessKeys } from './support/keys.ts';
import { findingsOfFile, reportedFile, runScan, type ScanRun, UNREACHABLE } from './support/scan-run.ts';
import { startStandInService } from './support/stand-in-service.ts';

const NO_KEY = /SCANNER_CLOUD_API_KEY is not set; set it to an API key of the service \[missing_api_key\]/;

describe('the reference client: push outcomes (specification, item 6)', () => {
  const sandbox = createSandbox();
  let service: Service;
  let keys: UselessKeys;
  let scans: ScanFolder;
  let mixed: ScannedOrganization;
  before(async () => {
    [service, scans] = await Promise.all([sandbox.startService({ SLUICE_WORKERS: '1' }), makeScanFolder()]);
    keys = await createUselessKeys(service);
    mixed = await scans.organization({ organization: 'mixed' });
  });
  after(async () => {
    await Promise.all([sandbox.clear(), scans.remove()]);
  });

  const push = (env: Readonly<Record<string, string>>) =>
    runScan(scans, mixed, ['--push-to-cloud', '-M', 'json-ocsf'], { env });
  const pushWith = (key: string, url = service.url) =>
    push({ SCANNER_CLOUD_API_KEY: key, SCANNER_CLOUD_API_BASE_URL: url });
  /** Returns the line with the push result. Asserts that the result file is complete and that its path was printed. */
  const warningOf = async (run: ScanRun) => {
    const { code, stdout, stderr, temporary, folder } = run;
    assert.deepEqual([code, temporary], [3, []]);
    assert.doesNotMatch(stdout, /Ingestion job|pushed/);
    assert.equal(path.relative(folder, reportedFile(run)), 'results/scan.ocsf.json');
    assert.equal((await findingsOfFile(reportedFile(run))).length, 115);
    const [warning = '', ...others] = stderr.match(/^Push (skipped|failed): .+$/gm) ?? [];
    assert.deepEqual(others, []);
    return warning;
  };

  it('skips the push if the API key variable is missing or empty, and names the variable in the message', async (t) => {
    const standIn = await startStandInService(t);
    const missing = [{}, { SCANNER_CLOUD_API_KEY: ' \n' }];
    for (const own of [...missing, { SCANNER_CLOUD_API_KEY: '' }]) {
      const run = await push({ SCANNER_CLOUD_API_BASE_URL: standIn.url, ...own });
      assert.match(await warningOf(run), new RegExp(`^Push skipped: ${NO_KEY.source}$`));
    }
    assert.equal(standIn.received.length, 0);
  });

  it('prints an additional message before the scan starts if the API key variable is missing', async () => {
    const { stderr } = await push({});
    assert.match(stderr, new RegExp(`^The results will not be pushed: ${NO_KEY.source}\nSluice scanner `));
    assert.ok(stderr.indexOf('Push skipped') > stderr.indexOf('Sluice scanner'));
  });

  it('prints the message about a missing API key variable even if the organization cannot be reached', async () => {
    const words = ['--push-to-cloud', '--directory-retries-max-attempts', '0'];
    const run = await runScan(scans, mixed, words, { env: { DIRECTORY_ORG_URL: UNREACHABLE } });
    assert.deepEqual([run.code, run.stdout], [1, '']);
    assert.match(
      run.stderr,
      new RegExp(`^The results .+: ${NO_KEY.source}\nscanner: .+ \\[unreachable\\]\n$`),
    );
  });

  it('asks the user to check the URL and network if the service is unreachable', async () => {
    const warning = await warningOf(await pushWith(service.key, UNREACHABLE));
    const reason = `^Push failed: ${UNREACHABLE} could not be reached \\(ECONNREFUSED\\); `;
    assert.match(warning, new RegExp(reason));
    assert.match(warning, /; check the URL \(SCANNER_CLOUD_API_BASE_URL\) and the network \[unreachable\]$/);
  });

  it('reports that pushing requires a subscription if a push fails with 402', async () => {
    const warning = await warningOf(await pushWith(keys.unpaid));
    assert.match(warning, /^Push failed: pushing requires an active subscription \(402\): /);
    assert.match(warning, /: The tenant has no active subscription,.+ \[subscription_required\]$/);
  });

  it('asks the user to verify the API key and its permissions if a push fails with 401', async () => {
    const reasons = [
      [keys.unknown, /The API key does not exist/],
      [keys.revoked, /The API key was revoked/],
      [keys.restricted, /The API key does not include the permission manage_ingestions/],
      ['no-key-at-all', /The API key is malformed/],
    ] as const;
    for (const [key, reason] of reasons) {
      const warning = await warningOf(await pushWith(key));
      assert.match(warning, /^Push failed: the service rejected the API key \(401\): /);
      assert.match(warning, reason);
      assert.match(
        warning,
        /; verify the key in SCANNER_CLOUD_API_KEY and its permissions \[unauthorized\]$/,
      );
    }
  });

  it("names the user's missing permission if a push fails with 403", async () => {
    const warning = await warningOf(await pushWith(keys.ofUserWithout));
    assert.match(warning, /^Push failed: the key does not have permission to push \(403\): /);
    assert.match(warning, /The API key's user lacks the permission manage_ingestions/);
    assert.match(
      warning,
      /; verify that the user of the key .+ has the permission .+ \[permission_denied\]$/,
    );
  });

  it('prints the same messages for a 401 or 402 response to the upload without error details', async (t) => {
    for (const [status, expected] of [
      [401, /\(401\); verify the key in SCANNER_CLOUD_API_KEY and its permissions \[unauthorized\]$/],
      [402, /requires an active subscription \(402\); .+ \[subscription_required\]$/],
    ] as const) {
      const standIn = await startStandInService(t, { onUpload: () => ({ status }) });
      assert.match(await warningOf(await pushWith(service.key, standIn.url)), expected);
      assert.deepEqual(
        standIn.received.map(({ method }) => method),
        ['GET', 'POST'],
      );
    }
  });

  it('stores nothing from failed or skipped pushes in the service', async () => {
    assert.deepEqual(await service.sql('select count(*)::int from ingestions'), [{ count: 0 }]);
  });
});
