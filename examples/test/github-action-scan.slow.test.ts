import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FINDINGS, JOB, KEY, REFUSED, taken } from './support/push-results.ts';
import { type ActionRunner, makeActionRunner } from './support/run-action.ts';

describe('scanning in the GitHub action', () => {
  let action: ActionRunner;
  before(async () => {
    action = await makeActionRunner();
  });
  after(() => action.remove());

  it('scans, pushes the results, waits for the job and reports both', async () => {
    const plan = { findings: FINDINGS, pushed: [taken('findings.ocsf.json')] };
    const { code, outputs, summary, calls } = await action.run({ env: KEY, plan });
    assert.equal(code, 0);
    const [scan, push] = calls.map(({ words }) => words);
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

  it('counts findings by status, with muted findings apart', async () => {
    const file = path.join(action.folder, 'three.ocsf.json');
    await writeFile(file, JSON.stringify(FINDINGS));
    const { summary } = await action.run({ env: KEY, plan: { findings: FINDINGS, pushed: [taken(file)] } });
    assert.match(summary, /Findings in three\.ocsf\.json: 3/);
    assert.match(summary, /\| FAIL \| 2 \| 1 \|\n\| PASS \| 1 \| 0 \|/);
  });

  it('reports findings as a notice, or fails if configured', async () => {
    const plan = { scanCode: 3, findings: FINDINGS, pushed: [taken('findings.ocsf.json')] };
    const noticed = await action.run({ env: KEY, plan });
    assert.equal(noticed.code, 0);
    assert.match(noticed.stdout, /^::notice title=Sluice::.*exit code 3/m);
    assert.equal(noticed.outputs['exit-code'], '3');
    const failed = await action.run({ env: KEY, plan, inputs: { 'fail-on-findings': 'true' } });
    assert.equal(failed.code, 3);
    assert.match(failed.stdout, /^::error title=Sluice::/m);
  });

  it('fails when the scan fails, even if findings do not fail the step', async () => {
    const { code, stdout, calls, outputs, summary } = await action.run({ env: KEY, plan: { scanCode: 1 } });
    assert.equal(code, 1);
    assert.match(stdout, /^::error title=Sluice::.*exit code 1/m);
    assert.equal(calls.length, 1, 'nothing to push');
    assert.equal(outputs['push-exit-code'], '');
    assert.match(summary, /nothing was pushed/);
  });

  it('continues with a warning after a failed push, unless configured to fail', async () => {
    const problem = { code: 'unreachable', message: 'The service does not respond.' };
    const plan = {
      findings: FINDINGS,
      pushCode: 1,
      pushed: [taken('findings.ocsf.json', { ...REFUSED, problem })],
    };
    const warned = await action.run({ env: KEY, plan });
    assert.equal(warned.code, 0);
    assert.match(warned.stdout, /^::warning title=Sluice::The push failed \(exit code 1\)/m);
    assert.match(warned.summary, /The service does not respond\./);
    assert.equal(warned.outputs['ingestion-ids'], '');
    const failed = await action.run({ env: KEY, plan, inputs: { 'fail-on-push': 'true' } });
    assert.equal(failed.code, 1);
  });

  it('gives the result of the scan precedence over that of the push', async () => {
    const inputs = { 'fail-on-push': 'true', 'fail-on-findings': 'true' };
    const { code } = await action.run({
      env: KEY,
      inputs,
      plan: { scanCode: 3, findings: FINDINGS, pushCode: 1 },
    });
    assert.equal(code, 3);
  });

  it('pushes nothing when the scan has no findings', async () => {
    const { code, calls } = await action.run({ env: KEY, plan: { findings: [] } });
    assert.equal(code, 0);
    assert.equal(calls.length, 1);
  });

  it('reports a missing key before the scan', async () => {
    const { stdout } = await action.run({ plan: { findings: FINDINGS, says: 'the scan speaks' } });
    const warning = stdout.indexOf('::warning title=Sluice::SCANNER_CLOUD_API_KEY is not set');
    assert.ok(warning >= 0 && warning < stdout.indexOf('the scan speaks'));
  });

  it('passes additional flags as words, without running or expanding them', async () => {
    const flags = '-s signon,application\n  --severity critical $(touch owned) `id` *';
    const { calls } = await action.run({ env: KEY, inputs: { flags }, plan: {} });
    const given = ['-s', 'signon,application', '--severity', 'critical', '$(touch', 'owned)', '`id`', '*'];
    assert.deepEqual(calls[0]?.words.slice(1, 9), given);
  });

  it('prevents scan output from becoming a workflow command', async () => {
    const { stdout } = await action.run({ env: KEY, plan: { says: '::error::not ours' } });
    const [, token = ''] = /^::stop-commands::([\da-f-]{36})$/m.exec(stdout) ?? [];
    const at = [`::stop-commands::${token}`, '::error::not ours', `\n::${token}::`].map((text) =>
      stdout.indexOf(text),
    );
    assert.ok(
      at.every((place, index) => place > (at[index - 1] ?? -1)),
      stdout,
    );
  });

  it('passes the URL of its input to the push, or else that of the environment', async () => {
    const plan = { findings: FINDINGS };
    const own = { 'base-url': 'https://sluice.example.com' };
    const env = { ...KEY, SCANNER_CLOUD_API_BASE_URL: 'https://other.example.com' };
    assert.equal(
      (await action.run({ env, inputs: own, plan })).calls[1]?.baseUrl,
      'https://sluice.example.com',
    );
    assert.equal((await action.run({ env, plan })).calls[1]?.baseUrl, 'https://other.example.com');
  });
});
