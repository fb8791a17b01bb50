import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

const BREAK_A_CHECK = `--import=${new URL('support/break-a-check.ts', import.meta.url)}`;

const PROGRESS = /^\d+\/\d+ resource types read/;

/** The environment of a push that fails or is skipped, and the expected warning. */
interface PushFailure {
  readonly env: Readonly<Record<string, string>>;
  readonly warning: RegExp;
}

const CASES = [
  { code: 0, label: 'an organization without FAILs', organization: 'compliant', words: [], env: {} },
  { code: 0, label: 'an organization with ignored FAILs', organization: 'mixed', words: ['-z'], env: {} },
  { code: 3, label: 'an organization with FAILs', organization: 'mixed', words: [], env: {} },
  {
    ...{ code: 1, label: 'a check with an internal error', organization: 'mixed', words: [] },
    env: { NODE_OPTIONS: BREAK_A_CHECK },
  },
] as const;

describe('the reference client: exit codes of scans with failed or skipped pushes (specification, item 5)', () => {
  const sandbox = createSandbox();
  let service: Service;
  let keys: UselessKeys;
  let scans: ScanFolder;
  const organizations: Partial<Record<string, ScannedOrganization>> = {};
  before(async () => {
    [service, scans] = await Promise.all([sandbox.startService({ SLUICE_WORKERS: '1' }), makeScanFolder()]);
    keys = await createUselessKeys(service);
    for (const organization of ['compliant', 'mixed'] as const)
      organizations[organization] = await scans.organization({ organization });
  });
  after(async () => {
    await Promise.all([sandbox.clear(), scans.remove()]);
  });

  const pushFailures = (): readonly [PushFailure, PushFailure, ...PushFailure[]] => {
    const address = { SCANNER_CLOUD_API_BASE_URL: service.url };
    const withKey = (key: string) => ({ ...address, SCANNER_CLOUD_API_KEY: key });
    return [
      { env: address, warning: /^Push skipped: SCANNER_CLOUD_API_KEY is not set.* \[missing_api_key\]$/m },
      { env: withKey(keys.unknown), warning: /^Push failed: .+ \[unauthorized\]$/m },
      { env: withKey(keys.unpaid), warning: /^Push failed: .+ \[subscription_required\]$/m },
      {
        env: { ...withKey(service.key), SCANNER_CLOUD_API_BASE_URL: UNREACHABLE },
        warning: /^Push failed: .+ \[unreachable\]$/m,
      },
    ];
  };

  /** Asserts that a scan with a failed push has the same output as the same scan without a push, except for messages about the push. */
  const assertCompleted = (pushed: ScanRun, plain: ScanRun) => {
    const { code, stdout, results } = plain;
    assert.deepEqual(
      { code: pushed.code, stdout: pushed.stdout, results: pushed.results },
      { code, stdout, results },
    );
    // stderr has the same lines in the same order, but the number of progress lines depends on timing.
    const lines = pushed.stderr.split('\n');
    for (const line of plain.stderr.split('\n').filter((text) => !PROGRESS.test(text))) {
      const at = lines.indexOf(line);
      assert.notEqual(at, -1, `${line}\nis missing from\n${pushed.stderr}`);
      lines.splice(0, at + 1);
    }
  };

  for (const { code, label, organization, words, env } of CASES) {
    it(`prints a warning after a failed or skipped push, exits with ${code} for ${label}, and reports where the OCSF result file was saved`, async () => {
      const scanned = organizations[organization];
      assert.ok(scanned);
      const run = (more: readonly string[], own: Readonly<Record<string, string>> = {}) =>
        runScan(scans, scanned, [...words, ...more], { env: { ...env, ...own } });
      const [plain, withOcsf] = await Promise.all([run(['-M', 'csv']), run(['-M', 'json-ocsf'])]);
      assert.equal(plain.code, code);
      const expected = await findingsOfFile(path.join(withOcsf.folder, 'results/scan.ocsf.json'));
      assert.ok(expected.length > 0);

      const pushWithFailure = async ({ env: failureEnv, warning }: PushFailure) => {
        const pushed = await run(['-M', 'csv', '--push-to-cloud'], failureEnv);
        assert.match(pushed.stderr, warning);
        assertCompleted(pushed, plain);
        // The temporary file still exists and is complete.
        assert.deepEqual(pushed.temporary, [reportedFile(pushed)]);
        assert.deepEqual(await findingsOfFile(reportedFile(pushed)), expected);
        assert.notEqual((await readFile(path.join(pushed.folder, 'results/scan.csv'))).length, 0);
      };
      // Exit code 3 is tested with every failure, and the other exit codes with a failed push and a skipped one.
      const [skipped, failed, ...others] = pushFailures();
      const failures = code === 3 ? [skipped, failed, ...others] : [skipped, failed];
      await Promise.all(failures.map(pushWithFailure));
      assert.deepEqual(await service.sql('select count(*)::int from ingestions'), [{ count: 0 }]);
    });
  }
});
