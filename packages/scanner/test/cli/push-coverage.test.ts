import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { refuse } from '../push/support/behaviors.ts';
import { accepted, jobIs } from '../push/support/documents.ts';
import { KEY } from '../push/support/run-push.ts';
import { type Script, startService } from '../push/support/service.ts';
import { runProgramHere } from './run-scanner.ts';
import { makeScanFolder, type ScanFolder, type ScannedOrganization } from './scan-folder.ts';

const MUTES = `Mutelist:
  Accounts:
    "*":
      Checks:
        "*":
          Regions: ["*"]
          Resources: ["*"]
`;

describe('coverage of a pushed scan', () => {
  let scans: ScanFolder;
  let compliant: ScannedOrganization;
  before(async () => {
    scans = await makeScanFolder(runProgramHere);
    compliant = await scans.organization({ organization: 'compliant' });
    await writeFile(path.join(scans.folder, 'mutes.yaml'), MUTES);
    await writeFile(path.join(scans.folder, 'config.yaml'), 'directory:\n  excluded_services: [idp]\n');
    await writeFile(
      path.join(scans.folder, 'limits.yaml'),
      'directory:\n  directory_max_session_idle_minutes: 10\n',
    );
    await writeFile(path.join(scans.folder, 'checks.json'), '{"directory": ["systemlog_streaming_enabled"]}');
  });
  after(() => scans.remove());

  /** The text parts of the upload, and the output of the scan. */
  async function push(
    context: TestContext,
    { scan }: ScannedOrganization,
    flags: readonly string[],
    script: Script = {},
  ) {
    const service = await startService(context, script);
    const env = { SCANNER_CLOUD_API_KEY: KEY, SCANNER_CLOUD_API_BASE_URL: service.url };
    const args = ['--push-to-cloud', '-b', '-z', '-M', 'json-ocsf', '-o', '.', '-F', 'scan', ...flags];
    const { code, stdout, stderr } = await scan(args, { env });
    const [upload, ...more] = service.uploads();
    assert.deepEqual([code, more], [0, []], stderr);
    return { parts: upload?.form?.parts.filter(([name]) => name !== 'file'), stdout, stderr };
  }

  const partialReason = (stdout: string) =>
    /\nCoverage: partial, so no findings are resolved: (.+)\nResults: pushed/.exec(stdout)?.[1];

  const ACCOUNT = [['coverage', 'account']];
  const CHECKS = [['coverage', 'checks']];

  for (const [description, flags, parts] of [
    ['account after a scan of all checks', [], ACCOUNT],
    ['account after a scan with other limits', ['--config-file', 'limits.yaml'], ACCOUNT],
    [
      'account with labels after a scan of all checks',
      ['--label', 'branch=main'],
      [['label', 'branch=main'], ...ACCOUNT],
    ],
    ['account if OCSF is not an output format', ['-M', 'csv'], ACCOUNT],
    ['checks with -c', ['-c', 'systemlog_streaming_enabled'], CHECKS],
    ['checks with -C', ['-C', 'checks.json'], CHECKS],
    ['checks with -s', ['-s', 'systemlog'], CHECKS],
    ['checks with -e', ['-e', 'systemlog_streaming_enabled'], CHECKS],
    ['checks with --excluded-services', ['--excluded-services', 'idp'], CHECKS],
    ['checks with --severity', ['--severity', 'high'], CHECKS],
    ['checks with --categories', ['--categories', 'logging'], CHECKS],
    ['checks with --compliance', ['--compliance', 'CIS-Controls-8.1'], CHECKS],
    ['checks with excluded services in the configuration file', ['--config-file', 'config.yaml'], CHECKS],
    ['no coverage with --status', ['--status', 'PASS'], []],
    ['no coverage with -c and --status', ['-c', 'systemlog_streaming_enabled', '--status', 'PASS'], []],
  ] as const)
    it(`sends ${description}`, async (context) => {
      const pushed = await push(context, compliant, flags);
      assert.deepEqual(pushed.parts, parts);
      const reason = parts.length > 0 ? undefined : '--status omits findings';
      assert.equal(partialReason(pushed.stdout), reason);
    });

  it('sends account after a scan with muted findings, which are in the file', async (context) => {
    const { parts } = await push(context, compliant, ['-w', 'mutes.yaml']);
    assert.deepEqual(parts, ACCOUNT);
    const muted = await scans.records('scan.ocsf.json');
    assert.ok(muted.every(({ status }) => status === 'Suppressed'));
    await push(context, compliant, []);
    assert.equal((await scans.records('scan.ocsf.json')).length, muted.length);
  });

  for (const [description, fault, reason] of [
    ['a list', { path: '/api/v1/zones', response: 403 }, /^GET \/api\/v1\/zones returned 403/],
    [
      'the next page of a list',
      { path: '/api/v1/zones', response: 'repeat-cursor' },
      /^GET \/api\/v1\/zones /,
    ],
    [
      'the rules of a policy',
      { path: /\/api\/v1\/policies\/[^/]+\/rules/, response: 403, times: 1 },
      /^GET \/api\/v1\/policies\/[^/]+\/rules returned 403/,
    ],
    [
      'the objects of a feature that the organization lacks',
      { path: '/api/v1/logStreams', response: 404 },
      /^GET \/api\/v1\/logStreams returned 404/,
    ],
    [
      'the roles of a deleted token owner',
      { path: /\/api\/v1\/users\/[^/]+\/roles/, response: 404, times: 1 },
      /^GET \/api\/v1\/users\/[^/]+\/roles returned 404/,
    ],
  ] as const)
    it(`sends no coverage and prints the failed read if the directory does not return ${description}`, async (context) => {
      const organization = await scans.organization({ organization: 'compliant' });
      organization.emulator.faults.push(fault);
      const flags = ['--directory-retries-max-attempts', '0'];
      const { parts, stdout } = await push(context, organization, flags);
      assert.deepEqual(parts, []);
      assert.match(partialReason(stdout) ?? stdout, reason);
    });

  it('sends no coverage for selected checks whose data could not be read, and checks for others', async (context) => {
    const organization = await scans.organization({ organization: 'compliant' });
    organization.emulator.faults.push({ path: '/api/v1/logStreams', response: 403 });
    assert.deepEqual((await push(context, organization, ['-s', 'systemlog,network'])).parts, []);
    assert.deepEqual((await push(context, organization, ['-s', 'network'])).parts, CHECKS);
  });

  it('sends no coverage if a scope was not granted', async (context) => {
    const organization = await scans.organization({
      organization: 'compliant',
      grantedScopes: ['directory.policies.read', 'directory.networkZones.read'],
    });
    assert.deepEqual((await push(context, organization, [])).parts, []);
    assert.deepEqual((await push(context, organization, ['-s', 'network'])).parts, CHECKS);
  });

  it('sends no coverage for checks of apps if the role cannot see all apps', async (context) => {
    const organization = await scans.organization({ organization: 'compliant', role: 'read-only' });
    const { parts, stdout } = await push(context, organization, []);
    assert.deepEqual(parts, []);
    assert.match(partialReason(stdout) ?? stdout, /returned 403|role of the service app cannot see/);
    for (const check of [
      'application_authentication_policy_network_zone_enforced',
      'application_admin_console_mfa_required',
      'user_inactivity_automation_35d_enabled',
    ])
      assert.deepEqual((await push(context, organization, ['-c', check])).parts, [], check);
    const others = ['--excluded-services', 'application', '-e', 'user_inactivity_automation_35d_enabled'];
    assert.deepEqual((await push(context, organization, others)).parts, CHECKS);
  });

  it('prints the command that pushes the results again after a failed push', async (context) => {
    const uploads = [refuse(402, '')];
    const label = "note=it's $HOME; 100%";
    const flags = ['--label', 'branch=feature/a', '--label', label, '--fail-on', 'High', '-F', 'my scan'];
    const { stderr } = await push(context, compliant, flags, { uploads });
    const command =
      "scanner push --fail-on high --coverage account --label branch=feature/a --label 'note=it'\\''s $HOME; 100%' 'my scan.ocsf.json'";
    const hint = `\nThe OCSF results are in my scan.ocsf.json\nTo push them again, use ${command}\n`;
    assert.ok(stderr.includes(hint), stderr);
    const partial = await push(context, compliant, ['--status', 'PASS'], { uploads });
    assert.match(
      partial.stderr,
      /\nThe OCSF results are in scan\.ocsf\.json\nTo push them again, use scanner push scan\.ocsf\.json\n$/,
    );
  });

  it('prints a command that a shell parses to the same upload', async (context) => {
    const { scan } = compliant;
    const flags = [
      '--label',
      'a=it\'s `b` \\ $c "d" *',
      '--label',
      'url=https://a.b/c?d=e&f#g',
      '-F',
      '-x y',
    ];
    const service = await startService(context, { uploads: [refuse(503, ''), accepted] });
    const env = {
      SCANNER_CLOUD_API_KEY: KEY,
      SCANNER_CLOUD_API_BASE_URL: service.url,
      SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '0',
    };
    const { stderr } = await scan(['--push-to-cloud', '-M', 'json-ocsf', '-o', '.', '-z', ...flags], { env });
    const [, command = ''] = /^To push them again, use scanner (.+)$/m.exec(stderr) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\0' ${command}`]);
    const pushed = await runProgramHere(stdout.split('\0').slice(0, -1), { cwd: scans.folder, env });
    assert.equal(pushed.code, 0, pushed.stderr);
    const [first, second] = service.uploads();
    assert.equal(first?.form?.parts.length, 4);
    assert.deepEqual(second?.form?.parts, first?.form?.parts);
    assert.equal(second?.headers['idempotency-key'], first?.headers['idempotency-key']);
  });

  it('prints the command that waits again after a timeout', async (context) => {
    const jobs = [jobIs('processing')];
    const flags = ['--wait', '--wait-timeout', '1', '--label', 'a=b'];
    const { stderr } = await push(context, compliant, flags, { jobs });
    assert.match(
      stderr,
      /\nTo wait again for the same job, use scanner push --wait --coverage account --label a=b scan\.ocsf\.json\n$/,
    );
  });
});
