import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KEY, taken } from './support/push-results.ts';
import { type ActionRunner, makeActionRunner } from './support/run-action.ts';

describe('the action, pushing files', () => {
  let action: ActionRunner;
  before(async () => {
    action = await makeActionRunner();
  });
  after(() => action.remove());
  const push = { command: 'push', files: 'one two.ocsf.json\n\n  out/*.ocsf.json\n' };

  it('passes paths and globs unchanged, one per line, and starts no scan', async () => {
    const plan = { pushed: [taken('one two.ocsf.json')] };
    const { code, calls, outputs } = await action.run({ env: KEY, inputs: { ...push, wait: 'false' }, plan });
    assert.equal(code, 0);
    assert.deepEqual(calls[0]?.words, [
      'push',
      '--json',
      '--no-color',
      '--',
      'one two.ocsf.json',
      'out/*.ocsf.json',
    ]);
    assert.deepEqual({ calls: calls.length, exit: outputs['exit-code'] }, { calls: 1, exit: '0' });
  });

  it('fails when a push fails and shows the first errors as text', async () => {
    const errors = [
      { code: 'invalid_type', detail: '<b>| [x](y)', pointer: '/severity_id', record_index: 7 },
    ];
    const pushed = [taken('a.ocsf.json', { status: 'failed', errors })];
    const { code, stdout, summary } = await action.run({
      env: KEY,
      inputs: push,
      plan: { pushCode: 3, pushed },
    });
    assert.equal(code, 3);
    assert.match(stdout, /^::error title=Sluice::The push failed \(exit code 3\)/m);
    assert.match(summary, /record 7, \/severity&#95;id/);
    assert.doesNotMatch(summary, /<b>|\[x\]/);
  });

  it('reports no job when the job id is invalid', async () => {
    const plan = { pushed: [taken('a', { ingestion_id: `x\nexit-code=0` })] };
    const { outputs } = await action.run({ env: KEY, inputs: push, plan });
    assert.equal(outputs['ingestion-ids'], '');
  });

  it('reports a push that ends without any output', async () => {
    const { code, summary } = await action.run({ env: KEY, inputs: push, plan: { pushCode: 2 } });
    assert.equal(code, 2);
    assert.match(summary, /ended without a result/);
  });

  it('rejects contradictory inputs and names them', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ command: 'aws' }, /::error title=Sluice::The input command takes one of: directory push/],
      [{ command: 'push' }, /The input files is empty/],
      [{ files: 'a.ocsf.json' }, /The input files belongs to command: push/],
      [{ wait: 'yes' }, /The input wait takes/],
      [{ 'fail-on-push': '' }, /The input fail-on-push takes/],
      [{ 'wait-timeout': '1h' }, /The input wait-timeout takes a number of seconds/],
    ];
    for (const [inputs, message] of wrong) {
      const { code, stdout, calls } = await action.run({ env: KEY, inputs });
      assert.deepEqual({ inputs, code, calls }, { inputs, code: 2, calls: [] });
      assert.match(stdout, message);
    }
  });
});
