import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SEVERITIES } from '@sluice/ocsf';
import { FINDING_SEVERITIES } from '../../src/client/finding-changes.ts';
import { refuse, respond } from './support/behaviors.ts';
import { changes, coverageNotApplied, job, jobChanged, jobErrors, jobIs } from './support/documents.ts';
import { makeFiles, type PushRun, runPush } from './support/run-push.ts';
import { type Script, startService } from './support/service.ts';

async function push(context: Parameters<typeof makeFiles>[0], script: Script, flags: readonly string[]) {
  const run: PushRun = { cwd: await makeFiles(context), service: await startService(context, script) };
  return await runPush([...flags, 'a.ocsf.json'], run);
}

const COUNTS = {
  new: { low: 1, high: 2, other: 1 },
  regressed: { critical: 1 },
  fixed: { medium: 4 },
  unchanged: { informational: 1000 },
  resolved: { fatal: 1, unknown: 2 },
  failed: { high: 9 },
  newly_failed: { unknown: 5, high: 2, critical: 1, other: 1 },
};

describe('the effect of a pushed file', { concurrency: 2 }, () => {
  it('knows the severities of the service, in their order', () => {
    assert.deepEqual(FINDING_SEVERITIES, SEVERITIES);
  });

  it('scanner push --wait prints how many findings changed, and the newly failed ones from the worst severity', async (context) => {
    const { code, stdout, stderr } = await push(context, { jobs: [jobChanged(COUNTS)] }, ['--wait']);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.ok(
      stdout.endsWith(
        '  completed: 3 of 3 records processed, 0 invalid\n' +
          '  Findings: 4 new, 1 regressed, 4 fixed, 1000 unchanged, 3 resolved\n' +
          '  Newly failed: 1 other, 1 critical, 2 high, 5 unknown\n',
      ),
      stdout,
    );
  });

  it('scanner push --wait prints that no finding changed, before the errors of a failed job', async (context) => {
    const error = { code: 'invalid_json', detail: 'ends early' };
    const script = {
      jobs: [jobChanged({}, { status: 'failed', invalid: 3 })],
      errors: [jobErrors([error], { invalid_json: 1 })],
    };
    const { code, stdout } = await push(context, script, ['--wait']);
    assert.equal(code, 3);
    assert.ok(
      stdout.endsWith(
        '  failed: 3 of 3 records processed, 3 invalid\n  Findings: none\n  Newly failed: none\n' +
          '  Errors by code: invalid_json 1\n    the file: ends early [invalid_json]\n',
      ),
      stdout,
    );
  });

  it('scanner push --wait prints no effect if an earlier release accepted the upload or runs the service', async (context) => {
    for (const response of [jobChanged(null), jobIs('completed', { processed: 3 })]) {
      const { code, stdout, stderr } = await push(context, { jobs: [response] }, ['--wait']);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.ok(stdout.endsWith('\n  completed: 3 of 3 records processed, 0 invalid\n'), stdout);
    }
  });

  it('scanner push --json prints the counts of changed findings only when the job has ended', async (context) => {
    const ended = await push(context, { jobs: [jobChanged(COUNTS)] }, ['--wait', '--json']);
    assert.deepEqual(JSON.parse(ended.stdout)[0].findings, changes(COUNTS));
    const { data, meta } = job('pending');
    const accepted = { data: { ...data, meta: { findings: changes({}) } }, meta };
    const stored = await push(context, { uploads: [respond(202, accepted)] }, ['--json']);
    assert.equal(JSON.parse(stored.stdout)[0].findings, null);
  });

  const NOT_APPLIED = 'No findings were resolved: no record names its product (metadata.product.name)';
  const warned = {
    jobs: [jobChanged({}, { warnings: 3, coverage: 'account' })],
    warnings: [coverageNotApplied('no record names its product (metadata.product.name)')],
  };

  it('scanner push --wait prints that the coverage was not applied, and why', async (context) => {
    const flags = ['--wait', '--coverage', 'account'];
    const { code, stdout, stderr } = await push(context, warned, flags);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const end = `\n  Newly failed: none\n  Warning: ${NOT_APPLIED} [coverage_not_applied]\n`;
    assert.ok(stdout.endsWith(end), stdout);
    const json = await push(context, warned, [...flags, '--json']);
    assert.deepEqual(JSON.parse(json.stdout)[0].warnings, [
      { code: 'coverage_not_applied', detail: `${NOT_APPLIED}.` },
    ]);
  });

  it('scanner push --wait prints the result of the job even if its warnings cannot be read', async (context) => {
    const { code, stdout, stderr } = await push(context, { ...warned, warnings: [refuse(500, '')] }, [
      '--wait',
    ]);
    assert.equal(code, 0);
    assert.ok(stdout.endsWith('\n  Newly failed: none\n'), stdout);
    assert.match(
      stderr,
      /^WARNING the warnings of job \S+ could not be read: GET .*warnings returned 500; .+\n$/,
    );
  });

  it('scanner push --wait prints that the coverage was not applied even if the reason is not stored', async (context) => {
    const counts = { coverage_not_applied: 1 };
    const warnings = [respond(200, { data: [], meta: { counts } })];
    const { stdout } = await push(context, { ...warned, warnings }, ['--wait']);
    assert.ok(stdout.endsWith('\n  Warning: No findings were resolved [coverage_not_applied]\n'), stdout);
  });

  it('scanner push --wait reads no warnings of a job without a coverage or without warnings', async (context) => {
    for (const job of [{ warnings: 3 }, { warnings: 0, coverage: 'account' }]) {
      const { stdout, stderr } = await push(context, { jobs: [jobChanged({}, job)] }, ['--wait']);
      assert.equal(stderr, '');
      assert.ok(stdout.endsWith('\n  Newly failed: none\n'), stdout);
    }
  });
});
