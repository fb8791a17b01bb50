import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { acceptedFile, KEY } from './support/push-results.ts';
import { type ActionRunner, createActionRunner } from './support/run-action.ts';

describe('GitHub action push', () => {
  let action: ActionRunner;
  before(async () => {
    action = await createActionRunner();
  });
  after(() => action.remove());
  const push = { command: 'push', files: 'one two.ocsf.json\n\n  out/*.ocsf.json\n' };

  it('the GitHub action passes each line of `files` to the push as one path or glob, and does not scan', async () => {
    const plan = { pushed: [acceptedFile('one two.ocsf.json')] };
    const { code, calls, outputs } = await action.run({ env: KEY, inputs: { ...push, wait: 'false' }, plan });
    assert.equal(code, 0);
    assert.deepEqual(calls[0]?.args, [
      'push',
      '--json',
      '--no-color',
      '--',
      'one two.ocsf.json',
      'out/*.ocsf.json',
    ]);
    assert.deepEqual({ calls: calls.length, exit: outputs['exit-code'] }, { calls: 1, exit: '0' });
  });

  it('the GitHub action labels uploads with the branch of a pull request, with a tag, or as in the flags', async () => {
    const plan = { pushed: [acceptedFile('a.ocsf.json')] };
    const labelled = async (env: Record<string, string>, flags = '') => {
      const runner = {
        GITHUB_REPOSITORY: 'platform/scans',
        GITHUB_REF_NAME: '1/merge',
        GITHUB_REF_TYPE: 'branch',
        GITHUB_SHA: 'c0ffee',
        GITHUB_SERVER_URL: 'https://github.example.com',
        GITHUB_RUN_ID: '7',
      };
      const { code, calls } = await action.run({
        env: { ...KEY, ...runner, ...env },
        inputs: { ...push, flags },
        plan,
      });
      assert.equal(code, 0);
      return calls[0]?.args.filter((_, at, all) => all[at - 1] === '--label');
    };
    const others = ['commit=c0ffee', 'pipeline=https://github.example.com/platform/scans/actions/runs/7'];
    const branch = 'feature/$(touch owned)';
    assert.deepEqual(await labelled({ GITHUB_HEAD_REF: branch }), [
      'repository=platform/scans',
      `branch=${branch}`,
      ...others,
    ]);
    assert.deepEqual(await labelled({ GITHUB_REF_NAME: 'v1', GITHUB_REF_TYPE: 'tag' }), [
      'repository=platform/scans',
      'tag=v1',
      ...others,
    ]);
    assert.deepEqual(await labelled({}, '--label team=x'), ['team=x']);
  });

  it('the GitHub action declares the coverage of the files, unless it is partial', async () => {
    const plan = { pushed: [acceptedFile('a.ocsf.json')] };
    for (const [coverage, flags] of [
      ['partial', []],
      ['checks', ['--coverage', 'checks']],
      ['account', ['--coverage', 'account']],
    ] as const) {
      const { code, calls } = await action.run({
        env: KEY,
        inputs: { ...push, coverage, wait: 'false' },
        plan,
      });
      assert.equal(code, 0);
      const args = calls[0]?.args ?? [];
      assert.deepEqual(args.slice(0, args.indexOf('--')), ['push', '--json', '--no-color', ...flags]);
    }
  });

  it('the GitHub action fails if the push fails and shows the first errors as escaped text', async () => {
    const errors = [
      { code: 'invalid_type', detail: '<b>| [x](y)', pointer: '/severity_id', record_index: 7 },
    ];
    const pushed = [acceptedFile('a.ocsf.json', { status: 'failed', errors })];
    const { code, stdout, summary } = await action.run({
      env: KEY,
      inputs: push,
      plan: { pushCode: 3, pushed },
    });
    assert.equal(code, 3);
    assert.match(stdout, /^::error title=Sluice::The push failed with exit code 3/m);
    assert.match(summary, /record 7, \/severity&#95;id/);
    assert.doesNotMatch(summary, /<b>|\[x\]/);
  });

  it('the GitHub action fails with exit code 4 because of fail-on, and shows the findings as escaped text', async () => {
    const none = { low: 0 };
    const gate = {
      severity: 'high',
      result: 'failed',
      count: 12,
      findings: [
        {
          id: 'one',
          severity: 'high',
          check_id: 'check',
          check_title: 'A [b](c) | d',
          resource: null,
          account: '1',
          url: 'https://sluice.example.com/findings?finding=one',
        },
        {
          id: 'two',
          severity: 'high',
          check_id: 'two',
          check_title: null,
          resource: 'r',
          account: '1',
          url: 'javascript:1',
        },
      ],
      reason: null,
    };
    const findings = {
      ...{ new: { high: 2, low: 1 }, reopened: none, regressed: none, fixed: none, unchanged: none },
      ...{ resolved: { low: 7 }, failed: none, newly_failed: { high: 12 } },
    };
    const pushed = [acceptedFile('a.ocsf.json', { findings, gate })];
    const inputs = { ...push, wait: 'false', 'fail-on': 'High', 'fail-on-push': 'false' };
    const { code, stdout, summary, calls } = await action.run({
      env: KEY,
      inputs,
      plan: { pushCode: 4, pushed },
    });
    assert.equal(code, 4);
    const wait = ['--wait', '--wait-timeout', '3600'];
    const args = calls[0]?.args ?? [];
    assert.deepEqual(args.slice(0, args.indexOf('--')), [
      'push',
      '--json',
      '--no-color',
      '--fail-on',
      'high',
      ...wait,
    ]);
    assert.match(
      stdout,
      /^::error title=Sluice::New, regressed or reopened findings failed the gate \(exit code 4\)/m,
    );
    assert.ok(summary.includes('| a.ocsf.json | 3 | 0 | 0 | 0 | 0 | 7 | 12 |'), summary);
    assert.match(
      summary,
      /Gate for a\.ocsf\.json: failed; new, regressed or reopened findings with severity high or worse: 12; findings that no longer fail, /,
    );
    const title = 'A &#91;b&#93;&#40;c&#41; &#124; d';
    const link = '[finding](<https://sluice.example.com/findings?finding=one>)';
    assert.ok(summary.includes(`| high | ${title} |  | 1 | ${link} |\n| high | two | r | 1 |  |\n`), summary);
  });

  it('the GitHub action shows why the gate was not evaluated', async () => {
    const gate = {
      severity: 'high',
      result: 'not_evaluated',
      count: null,
      findings: [],
      reason: 'upgrade the service',
    };
    const plan = { pushCode: 1, pushed: [acceptedFile('a.ocsf.json', { findings: null, gate })] };
    const { code, stdout, summary } = await action.run({
      env: KEY,
      inputs: { ...push, 'fail-on': 'high' },
      plan,
    });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^::error title=Sluice::The push failed or the gate was not evaluated \(exit code 1\)/m,
    );
    assert.match(summary, /Gate for a\.ocsf\.json: not evaluated; upgrade the service\n/);
  });

  it('the GitHub action shows the effects of a dry run, and that nothing was ingested', async () => {
    const none = { low: 0 };
    const zeros = {
      ...{ new: none, reopened: none, regressed: none, fixed: none, unchanged: none },
      ...{ resolved: none, failed: none, newly_failed: none },
    };
    const changes = { ...zeros, new: { high: 2, low: 1 }, newly_failed: { high: 2 } };
    const dry_run = { findings: changes, new_providers: { total: 4, listed: [] }, errors: {}, warnings: {} };
    for (const findings of [null, zeros]) {
      const pushed = [acceptedFile('a.ocsf.json', { findings, dry_run })];
      const inputs = { ...push, flags: '--provider aws --dry-run', 'fail-on': 'high' };
      const { code, summary } = await action.run({ env: KEY, inputs, plan: { pushCode: 4, pushed } });
      assert.equal(code, 4);
      assert.match(summary, /Dry run: exit code 4\. Nothing was ingested or billed\.\n/);
      assert.ok(summary.includes('| a.ocsf.json | 3 | 0 | 0 | 0 | 0 | 0 | 2 | 4 |'), summary);
      assert.doesNotMatch(summary, /\[scans\]/);
    }
  });

  it('the GitHub action warns if the gate of one of several files was not evaluated', async () => {
    const gate = { severity: 'high', result: 'failed', count: 2, findings: [], reason: null };
    const pushed = [
      acceptedFile('a.ocsf.json', { gate }),
      acceptedFile('b.ocsf.json', { gate: { ...gate, result: 'not_evaluated', count: null, reason: 'x' } }),
    ];
    const inputs = { ...push, 'fail-on': 'high' };
    const { stdout, summary } = await action.run({ env: KEY, inputs, plan: { pushCode: 4, pushed } });
    assert.match(stdout, /^::warning title=Sluice::The gate was not evaluated for some files\./m);
    assert.match(
      summary,
      /worse: 2; findings that no longer fail, or that are now muted or resolved, are not listed\n/,
    );
  });

  it('the GitHub action shows the warnings of a push as escaped text', async () => {
    const warnings = [{ code: 'coverage_not_applied', detail: 'No findings were resolved: <b>.' }];
    const plan = { pushed: [acceptedFile('a.ocsf.json', { warnings })] };
    const { summary } = await action.run({ env: KEY, inputs: push, plan });
    assert.ok(
      summary.includes('Warning: No findings were resolved: &#60;b&#62;. (coverage&#95;not&#95;applied)'),
      summary,
    );
  });

  it('the GitHub action prints the complete command that repeats a failed push', async () => {
    const env = { ...KEY, GITHUB_REPOSITORY: 'a/b', GITHUB_REF_NAME: "it's main" };
    const inputs = { ...push, coverage: 'account', wait: 'false' };
    const { stdout } = await action.run({ env, inputs, plan: { pushCode: 1 } });
    assert.match(
      stdout,
      /^To push the files again, use: scanner push .*--label repository=a\/b --label branch=it\\'s\\ main --coverage account -- one\\ two\.ocsf\.json /m,
    );
    const accepted = await action.run({ env, inputs, plan: { pushCode: 3 } });
    assert.doesNotMatch(accepted.stdout, /To push the files again/);
  });

  it('the GitHub action omits an invalid job ID from its outputs', async () => {
    const plan = { pushed: [acceptedFile('a', { ingestion_id: `x\nexit-code=0` })] };
    const { outputs } = await action.run({ env: KEY, inputs: push, plan });
    assert.equal(outputs['ingestion-ids'], '');
  });

  it('the GitHub action reports a push that exits without output', async () => {
    const { code, summary } = await action.run({ env: KEY, inputs: push, plan: { pushCode: 2 } });
    assert.equal(code, 2);
    assert.match(summary, /exited without a result/);
  });

  it('the GitHub action rejects invalid or contradictory inputs', async () => {
    const invalidInputs: [Record<string, string>, RegExp][] = [
      [{ command: 'aws' }, /::error title=Sluice::The input 'command' must be one of: directory push/],
      [{ command: 'push' }, /The input 'files' is empty/],
      [{ files: 'a.ocsf.json' }, /The input 'files' requires 'command: push'/],
      [{ coverage: 'account' }, /The input 'coverage' requires 'command: push'/],
      [{ ...push, coverage: 'full' }, /The input 'coverage' must be one of: partial checks account/],
      [{ wait: 'yes' }, /The input 'wait' must be one of/],
      [{ 'fail-on': 'other' }, /The input 'fail-on' must be one of: unknown informational low/],
      [{ 'fail-on-push': '' }, /The input 'fail-on-push' must be one of/],
      [{ flags: '--push-to-cloud' }, /The input 'flags' must not contain '--push-to-cloud': .* pushes/],
      [{ flags: '-s idp --label=a=b' }, /The input 'flags' must not contain '--label'/],
      [{ flags: '-o results' }, /The input 'flags' must not contain '-o': the action sets it/],
      [{ flags: '--fail-on high' }, /must not contain '--fail-on': set the input 'fail-on' instead/],
      [{ ...push, flags: '--coverage=account' }, /must not contain '--coverage': set the input 'coverage'/],
      [{ 'wait-timeout': '1h' }, /The input 'wait-timeout' must be a whole number/],
    ];
    for (const [inputs, message] of invalidInputs) {
      const { code, stdout, calls } = await action.run({ env: KEY, inputs });
      assert.deepEqual({ inputs, code, calls }, { inputs, code: 2, calls: [] });
      assert.match(stdout, message);
    }
  });
});
