import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuse, respond } from './support/behaviors.ts';
import { findingList, JOB, job, jobChanged } from './support/documents.ts';
import { gateFailed, pushWithGate } from './support/push-with-gate.ts';

describe('findings that fail the gate of scanner push', { concurrency: 2 }, () => {
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
    const { code, stdout, stderr, service } = await pushWithGate(context, script);
    assert.deepEqual({ code, stderr }, { code: 4, stderr: '' });
    const link = (id: string) => `${service.url}/findings?finding=${id}`;
    const expected = [
      gateFailed(23).trimEnd(),
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
    const { stdout, service } = await pushWithGate(context, { jobs, findings });
    assert.ok(stdout.includes(gateFailed(1)), stdout);
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
    const { stdout } = await pushWithGate(context, {
      uploads: [respond(202, { data, meta: { ...meta, scans_url } })],
      jobs: [jobChanged({ newly_failed: { high: 1 } })],
      findings: [findingList([{ id: 'one', severity: 'high' }]), findingList([])],
    });
    assert.match(stdout, /, 111122223333: https:\/\/sluice\.example\/security\/findings\?finding=one\n$/);
  });

  for (const status of [401, 403])
    it(`names the missing permission instead of the findings if their list returns ${status}`, async (context) => {
      const jobs = [jobChanged({ newly_failed: { high: 2 } })];
      const { code, stdout, stderr, service } = await pushWithGate(context, {
        jobs,
        findings: [refuse(status, 'No.')],
      });
      assert.deepEqual({ code, stderr, lists: service.lists().length }, { code: 4, stderr: '', lists: 1 });
      const reason = `The findings cannot be listed: the API key does not have the permission read_findings (${status})\n`;
      assert.ok(stdout.endsWith(gateFailed(2) + reason), stdout);
    });

  it('exits with 4 even if the findings cannot be listed because of the service', async (context) => {
    const jobs = [jobChanged({ newly_failed: { high: 2 } })];
    const { code, stdout } = await pushWithGate(context, { jobs, findings: [refuse(503, 'Down.')] });
    assert.equal(code, 4);
    const reason = 'The findings cannot be listed: GET /api/v1/findings returned 503: Down\n';
    assert.ok(stdout.endsWith(gateFailed(2) + reason), stdout);
  });

  const STALE = 'Findings that no longer fail, or that are now muted or resolved, are not listed.\n';

  it('states that findings that no longer fail are not listed if the list is shorter than the count', async (context) => {
    const jobs = [jobChanged({ newly_failed: { high: 2 } })];
    const none = await pushWithGate(context, { jobs });
    assert.equal(none.code, 4);
    assert.ok(none.stdout.endsWith(gateFailed(2) + STALE), none.stdout);
    const one = [findingList([{ id: 'one', severity: 'high' }]), findingList([])];
    const { stdout } = await pushWithGate(context, { jobs, findings: one });
    assert.ok(stdout.endsWith(`/findings?finding=one\n${STALE}`), stdout);
    const two = [findingList(['one', 'two'].map((id) => ({ id, severity: 'high' }))), findingList([])];
    assert.ok(!(await pushWithGate(context, { jobs, findings: two })).stdout.includes(STALE));
  });

  it('prints the result and the findings as JSON, and a failed gate also on stderr', async (context) => {
    const finding = { id: 'one', severity: 'high' };
    const hit = await pushWithGate(
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
      `${gateFailed(2)}  high: Buckets are not public, one, 111122223333: ${url}\n${STALE}`,
    );
    const passed = await pushWithGate(context, { jobs: [jobChanged({})] }, ['--fail-on', 'high', '--json']);
    const noFindings = { count: 0, findings: [], reason: null };
    assert.equal(passed.stderr, '');
    assert.deepEqual(JSON.parse(passed.stdout)[0].gate, {
      severity: 'high',
      result: 'passed',
      ...noFindings,
    });
    const refused = await pushWithGate(context, { uploads: [refuse(400, '')] }, [
      '--fail-on',
      'high',
      '--json',
    ]);
    assert.deepEqual(JSON.parse(refused.stdout)[0].gate, {
      severity: 'high',
      result: 'not_evaluated',
      count: null,
      findings: [],
      reason: 'the push failed',
    });
  });
});
