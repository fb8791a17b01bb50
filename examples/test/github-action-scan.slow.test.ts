import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startCheckoutScanner } from './support/checkout-scanner.ts';
import { acceptedFile, FINDINGS, JOB, KEY, NOT_ACCEPTED } from './support/push-results.ts';
import { type ActionRunner, createActionRunner } from './support/run-action.ts';

describe('GitHub action scan', () => {
  let action: ActionRunner;
  before(async () => {
    action = await createActionRunner();
  });
  after(() => action.remove());

  it('the GitHub action scans, pushes the findings, waits for the job, and reports the results', async () => {
    const plan = { findings: FINDINGS, pushed: [acceptedFile('findings.ocsf.json')] };
    const { code, outputs, summary, calls } = await action.run({ env: KEY, plan });
    assert.equal(code, 0);
    const [scan, push] = calls.map(({ args }) => args);
    assert.equal(calls.length, 2);
    assert.deepEqual(scan?.slice(0, 5), [
      'directory',
      '--no-banner',
      '--no-color',
      '--output-formats',
      'json-ocsf',
    ]);
    const file = path.join(outputs['output-directory'] ?? '', 'findings.ocsf.json');
    assert.deepEqual(push, ['push', '--json', '--no-color', '--wait', '--wait-timeout', '3600', '--', file]);
    assert.equal(outputs['exit-code'], '0');
    assert.equal(outputs['push-exit-code'], '0');
    assert.equal(outputs['ingestion-ids'], JOB);
    assert.ok(summary.includes(JOB));
    assert.ok(summary.includes('[scans](<http://127.0.0.1:8080/scans>)'));
  });

  it('the GitHub action shows the counts of findings and muted findings by status', async () => {
    const file = path.join(action.folder, 'three.ocsf.json');
    await writeFile(file, JSON.stringify(FINDINGS));
    const { summary } = await action.run({
      env: KEY,
      plan: { findings: FINDINGS, pushed: [acceptedFile(file)] },
    });
    assert.match(summary, /Findings in three\.ocsf\.json: 3/);
    assert.match(summary, /\| FAIL \| 2 \| 1 \|\n\| PASS \| 1 \| 0 \|/);
  });

  it('the GitHub action reports failed checks as a notice, or fails with fail-on-findings', async () => {
    const plan = { scanCode: 3, findings: FINDINGS, pushed: [acceptedFile('findings.ocsf.json')] };
    const tolerated = await action.run({ env: KEY, plan });
    assert.equal(tolerated.code, 0);
    assert.match(tolerated.stdout, /^::notice title=Sluice::.*exit code 3/m);
    assert.equal(tolerated.outputs['exit-code'], '3');
    const failed = await action.run({ env: KEY, plan, inputs: { 'fail-on-findings': 'true' } });
    assert.equal(failed.code, 3);
    assert.match(failed.stdout, /^::error title=Sluice::/m);
  });

  it('the GitHub action fails if the scan does not complete', async () => {
    const { code, stdout, calls, outputs, summary } = await action.run({ env: KEY, plan: { scanCode: 1 } });
    assert.equal(code, 1);
    assert.match(stdout, /^::error title=Sluice::.*exit code 1/m);
    assert.equal(calls.length, 1, 'the action must not push without findings');
    assert.equal(outputs['push-exit-code'], '');
    assert.match(summary, /nothing was pushed/);
  });

  it('the GitHub action reports a failed push as a warning, or fails with fail-on-push', async () => {
    const problem = { code: 'unreachable', message: 'The service does not respond.' };
    const plan = {
      findings: FINDINGS,
      pushCode: 1,
      pushed: [acceptedFile('findings.ocsf.json', { ...NOT_ACCEPTED, problem })],
    };
    const warned = await action.run({ env: KEY, plan });
    assert.equal(warned.code, 0);
    assert.match(warned.stdout, /^::warning title=Sluice::The push failed with exit code 1/m);
    assert.match(warned.summary, /The service does not respond\./);
    assert.equal(warned.outputs['ingestion-ids'], '');
    const failed = await action.run({ env: KEY, plan, inputs: { 'fail-on-push': 'true' } });
    assert.equal(failed.code, 1);
  });

  it('the GitHub action exits with the code of the scan if both the scan and the push fail', async () => {
    const inputs = { 'fail-on-push': 'true', 'fail-on-findings': 'true' };
    const { code } = await action.run({
      env: KEY,
      inputs,
      plan: { scanCode: 3, findings: FINDINGS, pushCode: 1 },
    });
    assert.equal(code, 3);
  });

  it('the GitHub action exits with 4 instead of 0 or 3 if the gate fails', async () => {
    for (const scanCode of [0, 3]) {
      const inputs = { 'fail-on': 'high', 'fail-on-findings': 'true' };
      const plan = {
        scanCode,
        findings: FINDINGS,
        pushCode: 4,
        pushed: [acceptedFile('findings.ocsf.json')],
      };
      const { code, outputs } = await action.run({ env: KEY, inputs, plan });
      assert.equal(code, 4);
      assert.deepEqual([outputs['exit-code'], outputs['push-exit-code']], [String(scanCode), '4']);
    }
  });

  it('the GitHub action only warns about a gate that was not evaluated, unless the scanner does not have gates', async () => {
    const inputs = { 'fail-on': 'high' };
    const warned = await action.run({ env: KEY, inputs, plan: { findings: FINDINGS, pushCode: 1 } });
    assert.equal(warned.code, 0);
    assert.match(warned.stdout, /^::warning title=Sluice::The push failed or the gate was not evaluated/m);
    const unsupported = await action.run({ env: KEY, inputs, plan: { findings: FINDINGS, pushCode: 2 } });
    assert.equal(unsupported.code, 2);
    assert.match(
      unsupported.stdout,
      /^::error title=Sluice::The push failed with exit code 2, so the gate was not evaluated/m,
    );
    for (const [scanCode, findings] of [
      [0, []],
      [1, undefined],
    ] as const) {
      const unpushed = await action.run({ env: KEY, inputs, plan: { scanCode, findings } });
      assert.equal(unpushed.code, scanCode);
      const warning = 'The gate was not evaluated, because nothing was pushed.';
      assert.ok(unpushed.stdout.includes(`\n::warning title=Sluice::${warning}\n`), unpushed.stdout);
      assert.ok(unpushed.summary.includes(`${warning}\n`), unpushed.summary);
    }
  });

  it('the GitHub action does not push if the scan has no findings', async () => {
    const { code, calls } = await action.run({ env: KEY, plan: { findings: [] } });
    assert.equal(code, 0);
    assert.equal(calls.length, 1);
  });

  it('the GitHub action warns about a missing API key before the scan', async () => {
    const { stdout } = await action.run({ plan: { findings: FINDINGS, output: 'output of the scan' } });
    const warning = stdout.indexOf('::warning title=Sluice::SCANNER_CLOUD_API_KEY is not set');
    assert.ok(warning >= 0 && warning < stdout.indexOf('output of the scan'));
  });

  it('the GitHub action passes additional flags without expanding or executing them', async () => {
    const flags = '-s signon,application\n  --severity critical $(touch owned) `id` *';
    const { calls } = await action.run({ env: KEY, inputs: { flags }, plan: {} });
    const expected = ['-s', 'signon,application', '--severity', 'critical', '$(touch', 'owned)', '`id`', '*'];
    assert.deepEqual(calls[0]?.args.slice(1, 9), expected);
  });

  it('the GitHub action prevents the runner from executing workflow commands in scan output', async () => {
    const { stdout } = await action.run({ env: KEY, plan: { output: '::error::injected' } });
    const [, token = ''] = /^::stop-commands::([\da-f-]{36})$/m.exec(stdout) ?? [];
    const positions = [`::stop-commands::${token}`, '::error::injected', `\n::${token}::`].map((text) =>
      stdout.indexOf(text),
    );
    assert.ok(
      positions.every((position, index) => position > (positions[index - 1] ?? -1)),
      stdout,
    );
  });

  it('the GitHub action passes the base-url input to the push, or the environment variable if the input is empty', async () => {
    const plan = { findings: FINDINGS };
    const inputs = { 'base-url': 'https://sluice.example.com' };
    const env = { ...KEY, SCANNER_CLOUD_API_BASE_URL: 'https://other.example.com' };
    assert.equal((await action.run({ env, inputs, plan })).calls[1]?.baseUrl, 'https://sluice.example.com');
    assert.equal((await action.run({ env, plan })).calls[1]?.baseUrl, 'https://other.example.com');
  });

  const pushFlagsOf = (calls: readonly { readonly args: readonly string[] }[]) => {
    const args = calls[1]?.args ?? [];
    return args.slice(0, args.indexOf('--'));
  };
  const PUSH_FLAGS = ['push', '--json', '--no-color'];

  it('the GitHub action pushes the findings with the coverage in the JSON document of the scan', async () => {
    for (const coverage of ['account', 'checks']) {
      const plan = { scanCode: 3, findings: FINDINGS, document: JSON.stringify({ coverage }) };
      const { code, calls } = await action.run({ env: KEY, inputs: { wait: 'false' }, plan });
      assert.equal(code, 0);
      assert.deepEqual(pushFlagsOf(calls), [...PUSH_FLAGS, '--coverage', coverage]);
    }
  });

  it('the GitHub action declares no coverage after a partial scan, or if the JSON document has none', async () => {
    for (const document of ['{"coverage":"partial"}', '{}', 'null', '', '{"coverage":"--label"}']) {
      const plan = { findings: FINDINGS, document };
      const { code, calls, stderr } = await action.run({ env: KEY, inputs: { wait: 'false' }, plan });
      assert.deepEqual({ document, code, stderr }, { document, code: 0, stderr: '' });
      assert.deepEqual(pushFlagsOf(calls), PUSH_FLAGS);
    }
  });

  it('the GitHub action shows why the coverage of the scan is partial', async () => {
    const partial = { coverage: 'partial', coverage_reason: 'GET /a_b returned 404' };
    for (const [document, reason] of [
      [JSON.stringify(partial), 'GET /a&#95;b returned 404'],
      ['{', 'scan.json is not valid JSON'],
    ] as const) {
      const { summary } = await action.run({ env: KEY, plan: { findings: FINDINGS, document } });
      assert.ok(summary.includes(`Coverage: partial, so no findings are resolved: ${reason}\n`), summary);
    }
  });

  it('the GitHub action scans and pushes without a coverage if the scanner does not have --json-file', async () => {
    const plan = { findings: FINDINGS };
    const { code, calls } = await action.run({ env: KEY, inputs: { wait: 'false' }, plan });
    assert.equal(code, 0);
    assert.equal(calls[0]?.args.includes('--json-file'), false);
    assert.deepEqual(pushFlagsOf(calls), PUSH_FLAGS);
  });

  for (const [description, organization, flags, coverage] of [
    ['account after a full scan', 'compliant', '', 'account'],
    ['checks after a scan of selected checks', 'compliant', '-s systemlog', 'checks'],
    ['no coverage after a scan with --status', 'compliant', '--status PASS', undefined],
    ['no coverage after a scan that could not read an object', 'mixed', '', undefined],
  ] as const)
    it(`the GitHub action uploads ${description}, and keeps the output of the scan in the log`, async () => {
      const setup = await startCheckoutScanner(organization);
      try {
        const { code, stdout, stderr } = await action.run({
          env: { ...setup.organization, ...setup.key },
          inputs: {
            'base-url': setup.service.url,
            flags: `--directory-requests-per-second=0 --verbose ${flags}`,
          },
          scannerFolder: setup.folder,
        });
        assert.equal(code, 0, stdout + stderr);
        assert.match(stdout, /^(PASS|FAIL|MANUAL) systemlog_streaming_enabled /m);
        assert.match(stdout, /^\d+ checks?; \d+ management API requests/m);
        assert.deepEqual(
          setup.service.uploads.map((upload) => upload.coverage),
          [coverage],
        );
      } finally {
        await setup.stop();
      }
    });
});
