import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { refuse, respond } from './support/behaviors.ts';
import { findingList, JOB, job, jobChanged, jobErrors, jobIs } from './support/documents.ts';
import { CONTENT, makeFiles, runPush } from './support/run-push.ts';
import { type Script, startService } from './support/service.ts';

const PASSED = 'The gate passed: no new, regressed or reopened findings have severity high or worse.\n';
const failed = (findings: string) =>
  `The gate failed: ${findings} severity high or worse.\n`.replace('SOME', 'new, regressed or reopened');

describe('scanner push --fail-on', { concurrency: 2 }, () => {
  async function push(
    context: TestContext,
    script: Script,
    flags: readonly string[] = ['--fail-on', 'high'],
    files: readonly string[] = ['a.ocsf.json'],
  ) {
    const service = await startService(context, script);
    const contents = Object.fromEntries(files.map((file, at) => [file, `${CONTENT}${' '.repeat(at)}`]));
    const cwd = await makeFiles(context, contents);
    return { ...(await runPush([...flags, ...files], { cwd, service })), service };
  }

  it('waits for the job, and exits with 0 if no newly failed finding has this severity or worse', async (context) => {
    const counts = { newly_failed: { medium: 3, unknown: 2 }, failed: { fatal: 7 }, new: { fatal: 7 } };
    const jobs = [jobIs('processing'), jobChanged(counts)];
    const { code, stdout, stderr, service } = await push(context, { jobs });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.ok(stdout.endsWith(`\n  Newly failed: 3 medium, 2 unknown\n${PASSED}`), stdout);
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
      assert.equal((await push(context, { jobs }, ['--fail-on', severity])).code, expected);
    });

  it('lists the ten worst findings with links to the console, the most severe first', async (context) => {
    const many = (name: string, severity: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: `${name}-${at}`,
        severity,
        resource: { uid: null, name: `${name} ${at}` },
      }));
    const script = {
      jobs: [jobChanged({ newly_failed: { high: 20, critical: 2, other: 1 } })],
      findings: [
        findingList(many('new', 'high', 10)),
        findingList([...many('worse', 'critical', 1), ...many('regressed', 'high', 9)]),
        findingList([
          { id: 'o', severity: 'other', check_title: null, resource: { uid: null, name: null } },
          {
            id: 'r/1',
            severity: 'critical',
            check_title: 'Two\nlines\u001b[31m',
            resource: { uid: 'arn', name: null },
          },
        ]),
      ],
    };
    const { code, stdout, stderr, service } = await push(context, script);
    assert.deepEqual({ code, stderr }, { code: 4, stderr: '' });
    const link = (id: string) => `${service.url}/findings?finding=${id}`;
    const expected = [
      failed('23 SOME findings have').trimEnd(),
      `  other: bucket_public, 111122223333: ${link('o')}`,
      `  critical: Two lines [31m, arn, 111122223333: ${link('r%2F1')}`,
      `  critical: Buckets are not public, worse 0, 111122223333: ${link('worse-0')}`,
      ...[0, 1, 2, 3, 4, 5, 6].map(
        (at) => `  high: Buckets are not public, new ${at}, 111122223333: ${link(`new-${at}`)}`,
      ),
      '  and 13 more\n',
    ];
    assert.equal(stdout.slice(stdout.indexOf('The gate')), expected.join('\n'));
  });

  it('requests failing findings that are not muted, once for each change', async (context) => {
    const jobs = [jobChanged({ newly_failed: { fatal: 1 } })];
    const findings = [findingList([{ id: 'one', severity: 'fatal' }]), findingList([])];
    const { stdout, service } = await push(context, { jobs, findings });
    assert.ok(stdout.includes(failed('1 SOME finding has')), stdout);
    const queries = service
      .lists()
      .map(({ path }) => Object.fromEntries(new URL(path, service.url).searchParams));
    assert.deepEqual(
      queries,
      ['new', 'regressed', 'reopened'].map((change) => ({
        [`filter[${change}_in]`]: JOB,
        'filter[status]': 'FAIL',
        'filter[muted]': 'false',
        'filter[severity__in]': 'high,critical,fatal,other',
        sort: '-severity',
        'page[size]': '10',
      })),
    );
  });

  it('links to the console at the address that the service returns', async (context) => {
    const { data, meta } = job('pending');
    const scans_url = 'https://sluice.example/security/scans';
    const { stdout } = await push(context, {
      uploads: [respond(202, { data, meta: { ...meta, scans_url } })],
      jobs: [jobChanged({ newly_failed: { high: 1 } })],
      findings: [findingList([{ id: 'one', severity: 'high' }]), findingList([])],
    });
    assert.match(stdout, /, 111122223333: https:\/\/sluice\.example\/security\/findings\?finding=one\n$/);
  });

  for (const status of [401, 403])
    it(`names the missing permission instead of the findings if their list returns ${status}`, async (context) => {
      const jobs = [jobChanged({ newly_failed: { high: 2 } })];
      const { code, stdout, stderr, service } = await push(context, {
        jobs,
        findings: [refuse(status, 'No.')],
      });
      assert.deepEqual({ code, stderr, lists: service.lists().length }, { code: 4, stderr: '', lists: 1 });
      const reason = `The findings cannot be listed: the API key does not have the permission read_findings (${status})\n`;
      assert.ok(stdout.endsWith(failed('2 SOME findings have') + reason), stdout);
    });

  it('exits with 4 even if the findings cannot be listed because of the service', async (context) => {
    const jobs = [jobChanged({ newly_failed: { high: 2 } })];
    const { code, stdout } = await push(context, { jobs, findings: [refuse(503, 'Down.')] });
    assert.equal(code, 4);
    const reason = 'The findings cannot be listed: GET /api/v1/findings returned 503: Down\n';
    assert.ok(stdout.endsWith(failed('2 SOME findings have') + reason), stdout);
  });

  it('exits with 4 if a failed job has a hit, even if its errors cannot be read, and otherwise with 3', async (context) => {
    const end = { status: 'failed', invalid: 1 } as const;
    const hit = [jobChanged({ newly_failed: { high: 1 } }, end)];
    assert.equal((await push(context, { jobs: hit })).code, 4);
    assert.equal((await push(context, { jobs: hit, errors: [refuse(500, '')] })).code, 4);
    const noHit = await push(context, {
      jobs: [jobChanged({}, end)],
      errors: [jobErrors([], { invalid_json: 1 })],
    });
    assert.equal(noHit.code, 3);
    assert.ok(noHit.stdout.endsWith(PASSED), noHit.stdout);
  });

  it('exits with 1 if an earlier release of the service did not count changes, and says to upgrade it', async (context) => {
    for (const response of [jobChanged(null), jobIs('completed', { processed: 3 })]) {
      const { code, stdout, stderr } = await push(context, { jobs: [response] });
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
    const { code, stderr } = await push(context, { uploads, jobs: [jobChanged(null)] });
    assert.equal(code, 1);
    assert.match(stderr, /upgrade the service, and push the file again with another --idempotency-key\n$/);
  });

  const STALE = 'Findings that no longer fail, or that are now muted or resolved, are not listed.\n';

  it('states that findings that no longer fail are not listed if the list is shorter than the count', async (context) => {
    const jobs = [jobChanged({ newly_failed: { high: 2 } })];
    const none = await push(context, { jobs });
    assert.equal(none.code, 4);
    assert.ok(none.stdout.endsWith(failed('2 SOME findings have') + STALE), none.stdout);
    const one = [findingList([{ id: 'one', severity: 'high' }]), findingList([])];
    const { stdout } = await push(context, { jobs, findings: one });
    assert.ok(stdout.endsWith(`/findings?finding=one\n${STALE}`), stdout);
    const two = [findingList(['one', 'two'].map((id) => ({ id, severity: 'high' }))), findingList([])];
    assert.ok(!(await push(context, { jobs, findings: two })).stdout.includes(STALE));
  });

  it('decides the same again for a repeated push', async (context) => {
    const uploads = [respond(202, job('pending'), { 'idempotency-replayed': 'true' })];
    const { code, stdout } = await push(context, {
      uploads,
      jobs: [jobChanged({ newly_failed: { high: 1 } })],
    });
    assert.equal(code, 4);
    assert.match(stdout, /^a\.ocsf\.json: already pushed, 3 records\n/);
  });

  it('exits with 1 without evaluating the gate if the push fails or the end of the job is unknown', async (context) => {
    const refused = await push(context, { uploads: [refuse(402, '')] });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      / \[subscription_required\]\nThe gate was not evaluated: the push failed\n$/,
    );
    const slow = await push(context, { jobs: [jobIs('processing')] }, [
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
    const { code, stdout, stderr } = await push(context, script, ['--fail-on', 'high'], files);
    assert.equal(code, 4);
    assert.ok(stdout.includes(failed('5 SOME findings have')), stdout);
    assert.match(stderr, /\nThe gate was not evaluated for b\.json: the push failed\n$/);
  });

  it('exits with 1 and names the files whose gate was not evaluated if no gate failed', async (context) => {
    const script: Script = { uploads: [refuse(402, '')] };
    const { code, stdout, stderr } = await push(
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

  it('prints the result and the findings as JSON, and a failed gate also on stderr', async (context) => {
    const finding = { id: 'one', severity: 'high' };
    const hit = await push(
      context,
      {
        jobs: [jobChanged({ newly_failed: { high: 2 } })],
        findings: [findingList([finding]), findingList([])],
      },
      ['--fail-on', 'high', '--json'],
    );
    const url = `${hit.service.url}/findings?finding=one`;
    assert.equal(hit.code, 4);
    assert.deepEqual(JSON.parse(hit.stdout)[0].gate, {
      severity: 'high',
      result: 'failed',
      count: 2,
      findings: [
        {
          ...finding,
          check_id: 'bucket_public',
          check_title: 'Buckets are not public',
          resource: 'one',
          account: '111122223333',
          url,
        },
      ],
      reason: null,
    });
    assert.equal(
      hit.stderr,
      `${failed('2 SOME findings have')}  high: Buckets are not public, one, 111122223333: ${url}\n${STALE}`,
    );
    const passed = await push(context, { jobs: [jobChanged({})] }, ['--fail-on', 'high', '--json']);
    const noFindings = { count: 0, findings: [], reason: null };
    assert.equal(passed.stderr, '');
    assert.deepEqual(JSON.parse(passed.stdout)[0].gate, {
      severity: 'high',
      result: 'passed',
      ...noFindings,
    });
    const refused = await push(context, { uploads: [refuse(400, '')] }, ['--fail-on', 'high', '--json']);
    assert.deepEqual(JSON.parse(refused.stdout)[0].gate, {
      severity: 'high',
      result: 'not_evaluated',
      count: null,
      findings: [],
      reason: 'the push failed',
    });
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
      const { code, stdout, stderr, service } = await push(context, {}, [`--fail-on=${severity}`]);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.equal(stderr, `scanner: ${expected} [unknown_severity]\n`);
      assert.deepEqual(service.requests, []);
    });
});
