import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuse, respond } from './support/behaviors.ts';
import { findingList, job, jobChanged, jobErrors, jobIs } from './support/documents.ts';
import { GATE_PASSED, gateFailed, pushWithGate } from './support/push-with-gate.ts';
import { makeFiles, runPush } from './support/run-push.ts';
import type { Script } from './support/service.ts';

describe('scanner push --fail-on', { concurrency: 2 }, () => {
  it('waits for the job, and exits with 0 if no newly failed finding has this severity or worse', async (context) => {
    const counts = { newly_failed: { medium: 3, unknown: 2 }, failed: { fatal: 7 }, new: { fatal: 7 } };
    const jobs = [jobIs('processing'), jobChanged(counts)];
    const { code, stdout, stderr, service } = await pushWithGate(context, { jobs });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.ok(stdout.endsWith(`\n  Newly failed: 3 medium, 2 unknown\n${GATE_PASSED}`), stdout);
    assert.deepEqual(service.lists(), []);
  });

  const hits: readonly (readonly [severity: string, found: string, code: number])[] = [
    ['high', 'high', 4],
    ['high', 'fatal', 4],
    ['high', 'medium', 0],
    ['high', 'unknown', 0],
    ['high', 'other', 4],
    ['fatal', 'other', 4],
    ['fatal', 'critical', 0],
    ['informational', 'unknown', 0],
    ['informational', 'informational', 4],
    ['unknown', 'unknown', 4],
    ['HIGH', 'critical', 4],
    ['high', 'catastrophic', 4],
  ];
  for (const [severity, found, expected] of hits)
    it(`with --fail-on ${severity}, exits with ${expected} for a newly failed finding of severity ${found}`, async (context) => {
      const jobs = [jobChanged({ newly_failed: { [found]: 1 } })];
      assert.equal((await pushWithGate(context, { jobs }, ['--fail-on', severity])).code, expected);
    });

  it('exits with 4 if a failed job has a hit, even if its errors cannot be read, and otherwise with 3', async (context) => {
    const end = { status: 'failed', invalid: 1 } as const;
    const hit = [jobChanged({ newly_failed: { high: 1 } }, end)];
    assert.equal((await pushWithGate(context, { jobs: hit })).code, 4);
    assert.equal((await pushWithGate(context, { jobs: hit, errors: [refuse(500, '')] })).code, 4);
    const noHit = await pushWithGate(context, {
      jobs: [jobChanged({}, end)],
      errors: [jobErrors([], { invalid_json: 1 })],
    });
    assert.equal(noHit.code, 3);
    assert.ok(noHit.stdout.endsWith(GATE_PASSED), noHit.stdout);
  });

  it('exits with 1 if an earlier release of the service did not count changes, and says to upgrade it', async (context) => {
    for (const response of [jobChanged(null), jobIs('completed', { processed: 3 })]) {
      const { code, stdout, stderr } = await pushWithGate(context, { jobs: [response] });
      assert.equal(code, 1);
      assert.doesNotMatch(stdout, /gate/);
      assert.equal(
        stderr,
        'The gate was not evaluated: the service did not count how this upload changed findings; upgrade the service\n',
      );
    }
  });

  it('advises another idempotency key if an earlier release accepted the same file', async (context) => {
    const uploads = [respond(202, job('pending'), { 'idempotency-replayed': 'true' })];
    const { code, stderr } = await pushWithGate(context, { uploads, jobs: [jobChanged(null)] });
    assert.equal(code, 1);
    assert.match(stderr, /upgrade the service, and push the file again with another --idempotency-key\n$/);
  });

  it('decides the same again for a repeated push', async (context) => {
    const uploads = [respond(202, job('pending'), { 'idempotency-replayed': 'true' })];
    const { code, stdout } = await pushWithGate(context, {
      uploads,
      jobs: [jobChanged({ newly_failed: { high: 1 } })],
    });
    assert.equal(code, 4);
    assert.match(stdout, /^a\.ocsf\.json: already pushed, 3 records\n/);
  });

  it('exits with 1 without evaluating the gate if the push fails or the end of the job is unknown', async (context) => {
    const refused = await pushWithGate(context, { uploads: [refuse(402, '')] });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      / \[subscription_required\]\nThe gate was not evaluated: the push failed\n$/,
    );
    const slow = await pushWithGate(context, { jobs: [jobIs('processing')] }, [
      '--fail-on',
      'high',
      '--wait-timeout',
      '1',
    ]);
    assert.equal(slow.code, 1);
    assert.match(
      slow.stderr,
      / \[wait_timeout\]\nThe gate was not evaluated: the end of the job is unknown\n$/,
    );
    const env = { SCANNER_CLOUD_API_KEY: '' };
    const keyless = await runPush(['--fail-on', 'high', 'a.ocsf.json'], {
      cwd: await makeFiles(context),
      env,
    });
    assert.equal(keyless.code, 1);
    assert.match(keyless.stderr, / \[missing_api_key\]\nThe gate was not evaluated: the push was skipped\n$/);
  });

  it('adds up the findings of several files, and exits with 4 even if another file cannot be pushed', async (context) => {
    const ofJob = (id: string, high: number) => jobChanged({ newly_failed: { high } }, { id });
    const accept = (id: string) => respond(202, { data: { ...job('pending').data, id } });
    const script: Script = {
      uploads: [accept('job-1'), refuse(400, 'No JSON.'), accept('job-2'), accept('job-2')],
      jobs: [ofJob('job-1', 2), ofJob('job-2', 3), ofJob('job-2', 3)],
      findings: [findingList([{ id: 'one', severity: 'high' }]), findingList([])],
    };
    const files = ['a.json', 'b.json', 'c.json', 'd.json'];
    const { code, stdout, stderr } = await pushWithGate(context, script, ['--fail-on', 'high'], files);
    assert.equal(code, 4);
    assert.ok(stdout.includes(gateFailed(5)), stdout);
    assert.match(stderr, /\nThe gate was not evaluated for b\.json: the push failed\n$/);
  });

  it('exits with 1 and names the files whose gate was not evaluated if no gate failed', async (context) => {
    const script: Script = { uploads: [refuse(402, '')] };
    const { code, stdout, stderr } = await pushWithGate(
      context,
      script,
      ['--fail-on', 'high'],
      ['a.json', 'b.json', 'c.json'],
    );
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(
      stderr,
      /\nThe gate was not evaluated for a\.json: the push failed\nThe gate was not evaluated for b\.json, c\.json: the push was skipped\n$/,
    );
  });

  for (const [severity, expected] of [
    ['hihg', "unknown severity 'hihg'; did you mean 'high'?"],
    [
      'other',
      "unknown severity 'other'; valid values are unknown, informational, low, medium, high, critical, fatal",
    ],
    ['', "unknown severity ''; valid values are unknown, informational, low, medium, high, critical, fatal"],
  ])
    it(`rejects --fail-on '${severity}' with exit code 2 before anything is sent`, async (context) => {
      const { code, stdout, stderr, service } = await pushWithGate(context, {}, [`--fail-on=${severity}`]);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.equal(stderr, `scanner: ${expected} [unknown_severity]\n`);
      assert.deepEqual(service.requests, []);
    });
});
