import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { runProgramHere } from '../../../scanner/test/cli/run-scanner.ts';
import { makeFiles } from '../../../scanner/test/push/support/run-push.ts';
import { createClient } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { record } from '../support/records.ts';

const PASSED = /\nThe gate passed: no new, regressed or reopened findings have severity high or worse\.\n$/;
const START = 1_780_000_000;

describe('scanner push --fail-on with the service', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  const push = async (
    context: TestContext,
    records: readonly unknown[],
    flags: readonly string[] = [],
    key = service.key,
  ) => {
    const cwd = await makeFiles(context, { 'a.json': JSON.stringify(records) });
    const env = { SCANNER_CLOUD_API_KEY: key, SCANNER_CLOUD_API_BASE_URL: service.url };
    return await runProgramHere(['push', '--fail-on', 'high', ...flags, 'a.json'], { cwd, env });
  };
  /** A record of a finding with the severity high. Its account is its own. */
  const finding = (uid: string, minute: number, members: Readonly<Record<string, unknown>> = {}) =>
    record({
      time: START + minute * 60,
      finding_info: { uid },
      cloud: { account: { uid: `account-${uid}` } },
      metadata: { product: { name: 'Scanner' } },
      ...members,
    });

  it('exits with 4 for new, regressed and reopened findings, and with 0 for unchanged, fixed and resolved ones', async (context) => {
    const of = (minute: number, members = {}) => [
      finding('changing', minute, members),
      finding('changing-2', minute, {
        cloud: { account: { uid: 'account-changing' } },
        severity_id: 3,
        status_code: 'PASS',
      }),
    ];
    const codes: unknown[] = [];
    for (const [minute, members, effect] of [
      [1, {}, '2 new'],
      [2, {}, '2 unchanged'],
      [3, { status_code: 'PASS' }, '1 fixed, 1 unchanged'],
      [4, {}, '1 regressed, 1 unchanged'],
    ] as const) {
      const { code, stdout } = await push(context, of(minute, members));
      codes.push(code);
      assert.ok(stdout.includes(`\n  Findings: ${effect}\n`), stdout);
    }
    const resolved = await push(context, of(5).slice(1), ['--coverage', 'account']);
    assert.match(resolved.stdout, /\n {2}Findings: 1 unchanged, 1 resolved\n {2}Newly failed: none\n/);
    const reopened = await push(context, of(6));
    assert.match(reopened.stdout, /\n {2}Findings: 1 reopened, 1 unchanged\n {2}Newly failed: 1 high\n/);
    assert.deepEqual([...codes, resolved.code, reopened.code], [4, 0, 0, 4, 0, 4]);
    assert.match(resolved.stdout, PASSED);
  });

  it('lists the findings of all three changes with links to the console', async (context) => {
    const one = (uid: string, minute: number, members = {}) =>
      finding(uid, minute, { cloud: { account: { uid: 'mixed' } }, ...members });
    await push(context, [one('regressed', 1, { status_code: 'PASS' }), one('reopened', 1)]);
    await push(context, [one('regressed', 2, { status_code: 'PASS' })], ['--coverage', 'account']);
    const { code, stdout, stderr } = await push(context, [
      one('new', 3, { severity_id: 99, severity: 'Other' }),
      one('regressed', 3, { severity_id: 5 }),
      one('reopened', 3),
      one('muted', 3, { status_id: 3, status: 'Suppressed' }),
      one('passed', 3, { status_code: 'PASS' }),
      one('minor', 3, { severity_id: 2 }),
    ]);
    assert.deepEqual({ code, stderr }, { code: 4, stderr: '' });
    assert.match(
      stdout,
      /\nThe gate failed: 3 new, regressed or reopened findings have severity high or worse\.\n/,
    );
    const { body } = await createClient(service.url, service.key).get<
      readonly { readonly id: string; readonly attributes: { readonly uid: string } }[]
    >('/findings?filter[account]=mixed');
    const lines = [
      ['other', 'new'],
      ['critical', 'regressed'],
      ['high', 'reopened'],
    ].map(([severity, uid]) => {
      const id = body.data.find(({ attributes }) => attributes.uid === uid)?.id;
      return `  ${severity}: Buckets are not public, one, mixed: ${service.url}/findings?finding=${id}\n`;
    });
    assert.ok(stdout.endsWith(lines.join('')), stdout);
    const link = /https?:\S+\/findings\?finding=\S+/.exec(stdout)?.[0] ?? '';
    assert.match((await fetch(link)).headers.get('content-type') ?? '', /^text\/html/);
  });

  it('exits with 4 again if the same file is pushed again, although the finding was fixed in the meantime', async (context) => {
    const first = await push(context, [finding('repeated', 1)]);
    await push(context, [finding('repeated', 2, { status_code: 'PASS' })]);
    const again = await push(context, [finding('repeated', 1)]);
    assert.deepEqual([first.code, again.code], [4, 4]);
    assert.match(again.stdout, /^a\.json: already pushed, 1 record\n/);
    assert.match(
      again.stdout,
      /\nThe gate failed: 1 new, regressed or reopened finding has severity high or worse\.\nFindings that no longer fail, or that are now muted or resolved, are not listed\.\n$/,
    );
  });

  it('exits with 4 and names the permission if the key or its user cannot read findings', async (context) => {
    const tenant = ['--tenant', service.tenantId];
    const email = 'pipeline@example.com';
    const create = async (user: string, ...words: readonly string[]) => {
      const { key } = await service.sluiceJson<{ readonly key: string }>(
        ...['api-key', 'create', ...tenant, '--user', user, ...words],
      );
      return key;
    };
    await service.sluiceJson(
      'user',
      'create',
      ...tenant,
      '--email',
      email,
      '--permissions',
      'manage_ingestions',
    );
    const keys = [
      [await create('admin@localhost', '--permissions', 'manage_ingestions'), 401],
      [await create(email), 403],
    ] as const;
    for (const [key, status] of keys) {
      const { code, stdout } = await push(context, [finding(`unreadable-${status}`, 1)], [], key);
      assert.equal(code, 4);
      const reason = `The findings cannot be listed: the API key does not have the permission read_findings (${status})\n`;
      assert.ok(stdout.endsWith(` severity high or worse.\n${reason}`), stdout);
    }
  });
});
