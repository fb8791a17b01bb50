import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { refuse } from '../push/support/behaviors.ts';
import { findingList, jobChanged, jobIs } from '../push/support/documents.ts';
import { KEY } from '../push/support/run-push.ts';
import { type Script, startService } from '../push/support/service.ts';
import { runProgramHere } from './run-scanner.ts';
import { makeScanFolder, type ScanFolder, type ScannedOrganization } from './scan-folder.ts';

const HIT = [jobChanged({ newly_failed: { high: 1 } })];
const FAILED = 'The gate failed: 1 new, regressed or reopened finding has severity high or worse.\n';
const PASSED = 'The gate passed: no new, regressed or reopened findings have severity high or worse.\n';
const notEvaluated = (reason: string) => `The gate was not evaluated: ${reason}\n`;

describe('scanner directory --push-to-cloud --fail-on', () => {
  let scans: ScanFolder;
  /** The scan exits with 3. */
  let mixed: ScannedOrganization;
  /** The scan exits with 0. */
  let compliant: ScannedOrganization;
  before(async () => {
    scans = await makeScanFolder(runProgramHere);
    mixed = await scans.organization({ organization: 'mixed' });
    compliant = await scans.organization({ organization: 'compliant' });
  });
  after(() => scans.remove());

  async function push(
    context: TestContext,
    { scan }: ScannedOrganization,
    script: Script,
    flags: readonly string[] = [],
    settings: Readonly<Record<string, string>> = {},
  ) {
    const service = await startService(context, script);
    const env = {
      SCANNER_CLOUD_API_KEY: KEY,
      SCANNER_CLOUD_API_BASE_URL: service.url,
      SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '0',
      ...settings,
    };
    const args = ['--push-to-cloud', '--fail-on', 'high', '-b', '-M', 'json-ocsf', '-o', '.', '-F', 'scan'];
    return { ...(await scan([...args, ...flags], { env })), service };
  }

  it('waits for the job, and exits with 4 instead of 0 or 3 if the gate fails', async (context) => {
    const findings = [findingList([{ id: 'one', severity: 'high' }]), findingList([])];
    for (const [organization, flags] of [
      [compliant, []],
      [mixed, []],
      [mixed, ['--ignore-exit-code-3']],
    ] as const) {
      const { code, stdout, service } = await push(context, organization, { jobs: HIT, findings }, flags);
      assert.equal(code, 4);
      const line = `  high: Buckets are not public, one, 111122223333: ${service.url}/findings?finding=one\n`;
      assert.ok(stdout.endsWith(`\n  Newly failed: 1 high\n${FAILED}${line}`), stdout);
    }
  });

  it("exits with the scan's exit code if the gate passes", async (context) => {
    const jobs = [jobChanged({ newly_failed: { medium: 1 } })];
    for (const [organization, flags, expected] of [
      [compliant, [], 0],
      [mixed, [], 3],
      [mixed, ['-z'], 0],
    ] as const) {
      const { code, stdout } = await push(context, organization, { jobs }, flags);
      assert.equal(code, expected);
      assert.ok(stdout.endsWith(`\n  Newly failed: 1 medium\n${PASSED}`), stdout);
    }
  });

  const unevaluated: readonly (readonly [string, Script, readonly string[], string])[] = [
    ['the push fails', { uploads: [refuse(402, '')] }, [], 'the push failed'],
    [
      'the end of the job is unknown',
      { jobs: [jobIs('processing')] },
      ['--wait-timeout', '1'],
      'the end of the job is unknown',
    ],
    [
      'an earlier release of the service does not count changes',
      { jobs: [jobChanged(null)] },
      [],
      'the service did not count how this upload changed findings; upgrade the service',
    ],
  ];
  for (const [description, script, flags, reason] of unevaluated)
    it(`exits with the scan's exit code and warns if ${description}`, async (context) => {
      for (const [organization, expected] of [
        [compliant, 0],
        [mixed, 3],
      ] as const) {
        const { code, stderr } = await push(context, organization, script, flags);
        assert.equal(code, expected);
        assert.ok(stderr.endsWith(notEvaluated(reason)), stderr);
      }
    });

  it("exits with the scan's exit code and warns if there is no API key or nothing to push", async (context) => {
    const keyless = await push(context, mixed, {}, [], { SCANNER_CLOUD_API_KEY: '' });
    assert.equal(keyless.code, 3);
    assert.ok(keyless.stderr.endsWith(notEvaluated('the push was skipped')), keyless.stderr);
    const empty = await push(context, compliant, {}, ['-s', 'systemlog', '--status', 'FAIL']);
    assert.deepEqual([empty.code, empty.service.requests], [0, []]);
    assert.ok(empty.stderr.endsWith(notEvaluated('nothing was pushed')), empty.stderr);
  });

  it('prints the effect and the result of the gate as JSON, and a failed gate on stderr', async (context) => {
    const hit = await push(context, compliant, { jobs: HIT, findings: [refuse(401, '')] }, ['--json']);
    const { push: pushed } = JSON.parse(hit.stdout);
    assert.equal(hit.code, 4);
    assert.equal(pushed.findings.newly_failed.high, 1);
    const reason = 'the API key does not have the permission read_findings (401)';
    assert.deepEqual(pushed.gate, { severity: 'high', result: 'failed', count: 1, findings: [], reason });
    assert.ok(hit.stderr.endsWith(`${FAILED}The findings cannot be listed: ${reason}\n`), hit.stderr);
    const keyless = await push(context, compliant, {}, ['--json'], { SCANNER_CLOUD_API_KEY: '' });
    assert.equal(JSON.parse(keyless.stdout).push.gate.result, 'not_evaluated');
  });

  it('exits with 2 before the scan for a gate that could never fail', async () => {
    const { scan, emulator } = compliant;
    const requests = emulator.requests.length;
    for (const [flags, message] of [
      [['--fail-on', 'high'], '--fail-on requires --push-to-cloud [usage]'],
      [
        ['--push-to-cloud', '--fail-on', 'high', '--status', 'PASS', 'MUTED'],
        '--fail-on requires FAIL among the values of --status [usage]',
      ],
      [
        ['--push-to-cloud', '--fail-on', 'severe'],
        "unknown severity 'severe'; valid values are unknown, informational, low, medium, high, critical, fatal [unknown_severity]",
      ],
    ] as const) {
      const { code, stdout, stderr } = await scan(flags);
      assert.deepEqual([code, stdout, stderr], [2, '', `scanner: ${message}\n`]);
    }
    assert.equal(emulator.requests.length, requests);
  });
});
