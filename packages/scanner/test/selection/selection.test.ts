import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { STIG } from '../../src/compliance/stig.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';
import { makeFolder, runProgramHere, runScanner } from '../cli/run-scanner.ts';

const SIGNON = [
  'signon_dod_warning_banner_configured',
  'signon_global_session_cookies_not_persistent',
  'signon_global_session_idle_timeout_15min',
  'signon_global_session_lifetime_18h',
  'signon_global_session_policy_network_zone_enforced',
];

describe('check selection', () => {
  let cwd: string;
  let remove: () => Promise<void>;
  before(async () => {
    ({ folder: cwd, remove } = await makeFolder({
      'checks.json': '{"directory": ["systemlog_streaming_enabled", "apitoken_not_super_admin"]}',
      'unknown.json': '{"directory": [\n  "systemlog_streaming_enable"]}',
      'other.json': '{"elsewhere": []}',
      'list.json': '["systemlog_streaming_enabled"]',
      'broken.json': '{"directory": [\n"a"',
      'config.yaml':
        'directory:\n  excluded_services: [signon]\n  excluded_checks: [systemlog_streaming_enabled]\n',
    }));
  });
  after(() => remove());

  const listed = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runProgramHere(['directory', ...args, '--list-checks-json'], {
      cwd,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    return JSON.parse(stdout).directory;
  };
  const errorOf = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runProgramHere(['directory', ...args, '--list-checks'], { cwd });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr, /^scanner: .*\n$/);
    return stderr;
  };

  it('by default, selects all 29 checks, sorted by service and ID', async () => {
    const { code, stdout } = await runProgramHere(['directory', '--list-checks'], { cwd });
    assert.equal(code, 0);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, 31);
    assert.equal(lines.at(-1), '29 checks');
    assert.match(lines[0] ?? '', /^\[apitoken_not_super_admin\] .+ - apitoken \[medium\]$/);
    const ids = lines.slice(0, 29).map((line) => line.slice(1, line.indexOf(']')));
    assert.deepEqual(ids, [...new Set(ids)].sort());
  });

  it('accepts check lists with spaces, commas, duplicates and any letter case', async () => {
    const ids = ['apitoken_not_super_admin', 'systemlog_streaming_enabled'];
    assert.deepEqual(await listed('-c', ...ids), ids);
    assert.deepEqual(await listed(`--checks=${ids.join(',')}`), ids);
    assert.deepEqual(await listed('-c', `${ids[1]}, ${ids[0]}`, 'APITOKEN_NOT_SUPER_ADMIN'), ids);
  });

  it('selects checks by service, severity and category', async () => {
    assert.deepEqual(await listed('-s', 'signon'), SIGNON);
    assert.deepEqual(await listed('--severity', 'informational'), ['signon_dod_warning_banner_configured']);
    assert.deepEqual(await listed('--categories', 'logging'), ['systemlog_streaming_enabled']);
  });

  it('selects only checks that match all filters', async () => {
    assert.deepEqual(await listed('-s', 'signon,systemlog', '--severity', 'informational', 'high'), [
      'signon_dod_warning_banner_configured',
      'systemlog_streaming_enabled',
    ]);
    assert.deepEqual(await listed('-C', 'checks.json', '-s', 'apitoken'), ['apitoken_not_super_admin']);
    assert.deepEqual(await listed('-C', 'checks.json', '-c', 'apitoken_not_super_admin'), [
      'apitoken_not_super_admin',
    ]);
  });

  it('excludes checks through the command line and the configuration file', async () => {
    assert.deepEqual(
      await listed('-s', 'signon', '-e', 'signon_dod_warning_banner_configured'),
      SIGNON.slice(1),
    );
    assert.deepEqual(await listed('-s', 'signon systemlog', '--excluded-services', 'signon'), [
      'systemlog_streaming_enabled',
    ]);
    const left = await listed('--config-file', 'config.yaml');
    assert.ok(Array.isArray(left));
    assert.equal(left.length, 29 - 6);
  });

  it('combines the CIS Controls checks with other filters', async () => {
    const mapped = await listed('--compliance', 'cis-controls-8.1');
    assert.ok(Array.isArray(mapped));
    assert.equal(mapped.length, 18);
    assert.deepEqual(
      await listed('--compliance', 'CIS-Controls-8.1', '-s', 'signon,network'),
      SIGNON.slice(1, 4),
    );
    const both = await listed('--compliance', 'CIS-Controls-8.1', 'Directory-IDaaS-STIG-V1R2');
    assert.ok(Array.isArray(both));
    assert.equal(both.length, 29);
    assert.match(
      await errorOf('--compliance', 'CIS-Controls-8.1', '-s', 'idp'),
      /--services idp leaves 1, --compliance CIS-Controls-8.1 leaves 0;/,
    );
  });

  it('selects all STIG checks and rejects unknown frameworks', async () => {
    const all = await listed('--compliance', 'directory-idaas-stig-v1r2');
    assert.ok(Array.isArray(all));
    assert.equal(all.length, 29);
    assert.match(
      await errorOf('--compliance', 'Directory-IDaaS-STIG-V1R3'),
      /did you mean 'Directory-IDaaS-STIG-V1R2'\?/,
    );
  });

  it('reads the output of --list-checks-json as a checks file', async () => {
    const { stdout } = await runProgramHere(['directory', '-s', 'user,idp', '--list-checks-json'], { cwd });
    const { folder, remove: removeFolder } = await makeFolder({ 'printed.json': stdout });
    try {
      assert.deepEqual(await listed('-C', `${folder}/printed.json`), [
        'idp_smart_card_dod_approved_ca',
        'user_inactivity_automation_35d_enabled',
      ]);
    } finally {
      await removeFolder();
    }
  });

  it('accepts alternative spellings of selection flags', async () => {
    assert.deepEqual(
      await listed('--service', 'signon', '--excluded-check=signon_dod_warning_banner_configured'),
      SIGNON.slice(1),
    );
    assert.deepEqual(await listed('--severities', 'informational', '--category=identity-access'), [
      'signon_dod_warning_banner_configured',
    ]);
  });

  const unknown: readonly (readonly [string, string, RegExp])[] = [
    [
      '-c',
      'signon_global_session_lifetime',
      /unknown check '.*'; did you mean 'signon_global_session_lifetime_18h'\?/,
    ],
    ['-e', 'systemlog_streming_enabled', /did you mean 'systemlog_streaming_enabled'\?/],
    ['-s', 'singon', /unknown service 'singon'; did you mean 'signon'\?/],
    ['--excluded-services', 'aplication', /did you mean 'application'\?/],
    ['--severity', 'hihg', /unknown severity 'hihg'; did you mean 'high'\?/],
    ['--severity', 'zzzzzzzz', /valid values are critical, high, medium, low, informational/],
    ['--categories', 'loging', /unknown category 'loging'; did you mean 'logging'\?/],
    ['--status', 'FAILED', /unknown status 'FAILED'; did you mean 'FAIL'\?/],
    ['-M', 'jsn-ocsf', /unknown output format 'jsn-ocsf'; did you mean 'json-ocsf'\?/],
    ['-c', 'xyz', /run scanner directory --list-checks to list all/],
    ['--log-level', 'WARN', /unknown log level 'WARN'; did you mean 'WARNING'\?/],
    ['--dialect', 'octa', /unknown dialect 'octa'; did you mean 'okta'\?/],
  ];
  for (const [flag, word, hint] of unknown) {
    it(`suggests the closest value for ${flag} ${word}`, async () => {
      assert.match(await errorOf(flag, word), hint);
    });
  }

  it('reports the filters if they match no checks', async () => {
    assert.equal(
      await errorOf('-s', 'signon', '-s', 'network', '--severity', 'high', '--categories', 'logging'),
      'scanner: no checks are selected: of 29 checks, --services network signon leaves 6, --severity high leaves 0; run scanner directory --list-checks to list all [empty_selection]\n',
    );
  });

  it('reports errors in a checks file with their position', async () => {
    assert.match(
      await errorOf('-C', 'missing.json'),
      /--checks-file missing\.json cannot be read: the file does not exist/,
    );
    assert.match(await errorOf('-C', '.'), /it is a directory/);
    assert.match(await errorOf('-C', 'unknown.json'), /did you mean 'systemlog_streaming_enabled'\?/);
    assert.match(
      await errorOf('-C', 'other.json'),
      /other\.json:1:1: has no list of checks under "directory"/,
    );
    assert.match(await errorOf('-C', 'list.json'), /list\.json:1:1: the file must be \{"directory"/);
    assert.match(await errorOf('-C', 'broken.json'), /broken\.json:2:4: /);
  });

  it('rejects two list flags in one command', async () => {
    assert.match(await errorOf('--list-services'), /cannot be used with option/);
  });

  it('lists services, categories and frameworks with their check counts', async () => {
    const list = async (flag: string) => (await runProgramHere(['directory', flag], { cwd })).stdout;
    assert.match(
      await list('--list-services'),
      /^apitoken \(2 checks\)\napplication \(6 checks\)\nauthenticator \(12 checks\)\nidp \(1 check\)\n/,
    );
    assert.equal(await list('--list-categories'), 'identity-access (28 checks)\nlogging (1 check)\n');
    assert.equal(
      await list('--list-compliance'),
      'Directory-IDaaS-STIG-V1R2 (29 checks)\nCIS-Controls-8.1 (18 checks)\n',
    );
  });

  it('accepts the directory and Okta names of checks and of the STIG', async () => {
    const VERIFY = {
      directory: 'authenticator_directory_verify_fips_compliant',
      okta: 'authenticator_okta_verify_fips_compliant',
    };
    const { folder, remove: removeFolder } = await makeFolder({
      'directory.json': JSON.stringify({ directory: [VERIFY.directory] }),
      'okta.json': JSON.stringify({ okta: [VERIFY.okta] }),
      'config.yaml': `directory:\n  excluded_checks: [${VERIFY.directory}]\n`,
    });
    try {
      for (const dialect of ['directory', 'okta'] as const) {
        const one = { [dialect]: [VERIFY[dialect]] };
        for (const name of Object.values(VERIFY)) {
          const { stdout } = await runProgramHere(
            ['directory', '--dialect', dialect, '-c', name, '--list-checks-json'],
            { cwd },
          );
          assert.deepEqual(JSON.parse(stdout), one);
          const remaining = await runProgramHere(['directory', '--dialect', dialect, '-e', name, '-l'], {
            cwd,
          });
          assert.match(remaining.stdout, /\n28 checks\n$/);
        }
        for (const file of ['directory.json', 'okta.json']) {
          const chosen = ['directory', '--dialect', dialect, '-C', `${folder}/${file}`, '--list-checks-json'];
          assert.deepEqual(JSON.parse((await runProgramHere(chosen, { cwd })).stdout), one);
        }
        const excluding = ['directory', '--dialect', dialect, '--config-file', `${folder}/config.yaml`, '-l'];
        assert.match((await runProgramHere(excluding, { cwd })).stdout, /\n28 checks\n$/);
        for (const framework of [
          'Okta-IDaaS-STIG-1R2',
          'okta-idaas-stig-v1r2',
          'Directory-IDaaS-STIG-V1R2',
          'Directory-IDaaS-STIG-1R2',
        ]) {
          const { code } = await runProgramHere(
            ['directory', '--dialect', dialect, '--compliance', framework, '-l'],
            { cwd },
          );
          assert.equal(code, 0, framework);
        }
      }
    } finally {
      await removeFolder();
    }
  });

  it('lists checks with Okta names for an Okta domain', async () => {
    const env = { OKTA_ORG_DOMAIN: 'acme.okta.com' };
    const { stdout } = await runProgramHere(['directory', '-s', 'authenticator', '-l'], { cwd, env });
    assert.match(stdout, /^\[authenticator_okta_verify_fips_compliant\] Okta Verify is active/m);
  });

  it('lists frameworks and checks with Okta names if DIRECTORY_DIALECT is okta', async () => {
    const env = { DIRECTORY_DIALECT: 'okta' };
    const { stdout } = await runScanner(['directory', '--list-compliance'], { cwd, env });
    assert.equal(stdout, `${STIG.name(DIALECTS.okta)} (29 checks)\nCIS-Controls-8.1 (18 checks)\n`);
    const json = await runScanner(
      ['directory', '-c', 'idp_smart_card_dod_approved_ca', '--list-checks-json'],
      { cwd, env },
    );
    assert.deepEqual(JSON.parse(json.stdout), { okta: ['idp_smart_card_dod_approved_ca'] });
  });
});
