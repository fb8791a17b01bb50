import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { defaultConfig, readConfigFile } from '../../src/config-file/read-config-file.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';
import { makeFolder, runProgramHere } from '../cli/run-scanner.ts';

const FILES = {
  'all.yaml': `directory:
  directory_max_session_idle_minutes: 10
  directory_max_session_lifetime_minutes: 600
  directory_admin_console_idle_timeout_max_minutes: 5
  directory_user_inactivity_max_days: 30
  directory_dod_approved_ca_issuer_patterns: ['O=Acme PKI', 'CN=.* Root']
  directory_requests_per_second: 0.5
  directory_max_retries: 0
  directory_request_timeout: 0
  excluded_checks: [systemlog_streaming_enabled]
  excluded_services: [network]
`,
  'replace.yaml': `directory:
  directory_dod_approved_ca_issuer_patterns: ['O=Acme PKI']
  directory_dod_approved_ca_issuer_patterns_replace: true
`,
  'okta.yaml': 'okta:\n  okta_max_session_idle_minutes: 7\n  directory_max_retries: 3\n',
  'empty.yaml': '',
  'null.yaml': 'directory:\n',
  'unknown.yaml':
    'directory:\n  directory_max_session_idle_minute: 10\n  max_retries: 3\ndirektory:\n  a: 1\n',
  'mild.yaml': 'directory:\n  directory_max_session_idle_minutes: 60\n',
  'broken.yaml': 'directory:\n  directory_max_retries: [1\nx: }\n',
  'duplicate.yaml': 'directory:\n  directory_max_retries: 1\n  directory_max_retries: 2\n',
  'aliases.yaml': `a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c]\n`,
};

describe('configuration file', () => {
  let cwd: string;
  let remove: () => Promise<void>;
  before(async () => {
    ({ folder: cwd, remove } = await makeFolder(FILES));
  });
  after(() => remove());

  const warnings: string[] = [];
  const ignore = () => undefined;
  const log = {
    debug: ignore,
    info: ignore,
    warn: (text: string) => void warnings.push(text),
    error: ignore,
  };
  const read = (name: keyof typeof FILES, dialect: 'directory' | 'okta' = 'directory') =>
    readConfigFile(`${cwd}/${name}`, DIALECTS[dialect], log);
  const run = (file: string) =>
    runProgramHere(['directory', '--config-file', file, '--list-services'], { cwd });
  const errorOf = async (content: string): Promise<string> => {
    const { folder, remove: removeFolder } = await makeFolder({ 'config.yaml': content });
    try {
      const { code, stdout, stderr } = await runProgramHere(
        ['directory', '--config-file', 'config.yaml', '--list-services'],
        { cwd: folder },
      );
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      const [, message] =
        /^scanner: (.*) \[(?:config_file|unknown_check)\]\n$/.exec(stderr) ?? assert.fail(stderr);
      return message ?? '';
    } finally {
      await removeFolder();
    }
  };

  it('reads every scan limit from the configuration file', async () => {
    const config = await read('all.yaml');
    assert.deepEqual(config, {
      thresholds: {
        maxSessionIdleMinutes: 10,
        maxSessionLifetimeMinutes: 600,
        adminConsoleMaxIdleMinutes: 5,
        maxInactivityDays: 30,
        approvedIssuers: [/\bOU=DoD\b/, /\bOU=ECA\b/, /O=Acme PKI/, /CN=.* Root/],
      },
      requestsPerSecond: 0.5,
      maxRetries: 0,
      timeoutSeconds: 0,
      excludedChecks: ['systemlog_streaming_enabled'],
      excludedServices: ['network'],
    });
  });

  it('adds issuer patterns to the default patterns, and replaces the defaults only on request', async () => {
    const patterns = (await read('replace.yaml')).thresholds.approvedIssuers;
    assert.deepEqual(patterns, [/O=Acme PKI/]);
    assert.match(
      await errorOf('directory:\n  directory_dod_approved_ca_issuer_patterns_replace: true\n'),
      /^config\.yaml:2:3: requires at least one pattern in dod_approved_ca_issuer_patterns/,
    );
  });

  it('uses the STIG limit if the configuration file does not set a limit', async () => {
    const {
      maxSessionIdleMinutes,
      maxSessionLifetimeMinutes,
      adminConsoleMaxIdleMinutes,
      maxInactivityDays,
    } = defaultConfig().thresholds;
    assert.deepEqual(
      [maxSessionIdleMinutes, maxSessionLifetimeMinutes, adminConsoleMaxIdleMinutes, maxInactivityDays],
      [15, 1080, 15, 35],
    );
    assert.deepEqual(await read('empty.yaml'), defaultConfig());
    assert.deepEqual(await read('null.yaml'), defaultConfig());
  });

  it('accepts the sections and key prefixes directory and okta for an Okta organization', async () => {
    const config = await read('okta.yaml', 'okta');
    assert.equal(config.thresholds.maxSessionIdleMinutes, 7);
    assert.equal(config.maxRetries, 3);
    assert.equal((await read('all.yaml', 'okta')).thresholds.maxSessionIdleMinutes, 10);
  });

  it('warns about unknown keys and sections, and suggests the closest known name', async () => {
    const { code, stderr } = await run('unknown.yaml');
    assert.equal(code, 0);
    assert.deepEqual(stderr.trim().split('\n'), [
      "WARNING unknown.yaml:4:1: unknown section 'direktory'; did you mean 'directory'?",
      "WARNING unknown.yaml:2:3: unknown key 'directory_max_session_idle_minute'; did you mean 'directory_max_session_idle_minutes'?",
      "WARNING unknown.yaml:3:3: unknown key 'max_retries'; did you mean 'directory_max_retries'?",
    ]);
  });

  it('warns about a limit that is less strict than the STIG requires', async () => {
    warnings.length = 0;
    const config = await read('mild.yaml');
    assert.equal(config.thresholds.maxSessionIdleMinutes, 60);
    assert.deepEqual(
      warnings.map((text) => text.slice(cwd.length + 1)),
      ['mild.yaml:2:3: 60 exceeds the STIG limit of 15; the requirement fails in all compliance results'],
    );
  });

  it('reports invalid YAML with its file, line and column', async () => {
    for (const [file, where] of [
      ['broken.yaml', /^scanner: broken\.yaml:3:\d+: /],
      ['duplicate.yaml', /^scanner: duplicate\.yaml:3:3: Map keys must be unique/],
      ['aliases.yaml', /^scanner: aliases\.yaml: /],
      [
        'missing.yaml',
        /^scanner: --config-file missing\.yaml cannot be read: the file does not exist \[config_file\]\n$/,
      ],
    ] as const) {
      const { code, stderr } = await run(file);
      assert.equal(code, 2);
      assert.match(stderr, where);
      assert.equal(stderr.split('\n').length, 2);
    }
  });

  const invalid: readonly (readonly [string, string])[] = [
    ['directory_max_session_idle_minutes: 0', 'must be a whole number from 1 to 1440'],
    ['directory_max_session_idle_minutes: "15"', 'must be a whole number from 1 to 1440'],
    ['directory_max_session_idle_minutes: 1.5', 'must be a whole number from 1 to 1440'],
    ['directory_max_session_idle_minutes: 1441', 'must be a whole number from 1 to 1440'],
    ['directory_max_session_lifetime_minutes: 43201', 'must be a whole number from 1 to 43200'],
    ['directory_user_inactivity_max_days: -1', 'must be a whole number from 1 to 3650'],
    ['directory_requests_per_second: 0.05', 'must be 0 (no limit) or a number from 0.1 to 100'],
    ['directory_requests_per_second: .nan', 'must be 0 (no limit) or a number from 0.1 to 100'],
    ['directory_max_retries: 11', 'must be a whole number from 0 to 10'],
    ['directory_request_timeout: 3601', 'must be a whole number from 0 to 3600'],
    ['excluded_checks: systemlog', 'must be a list'],
    ['excluded_services: [network, network]', 'contains duplicates'],
  ];
  for (const [line, message] of invalid) {
    it(`rejects the configuration ${line}`, async () => {
      const key = line.slice(0, line.indexOf(':'));
      assert.equal(await errorOf(`# limits\ndirectory:\n  ${line}\n`), `config.yaml:3:3: ${key} ${message}`);
    });
  }

  it('rejects an issuer pattern that is not a regular expression and reports its position', async () => {
    assert.match(
      await errorOf(
        "directory:\n  directory_dod_approved_ca_issuer_patterns:\n    - 'O=Acme'\n    - 'O=('\n",
      ),
      /^config\.yaml:4:7: 'O=\(' is not a valid regular expression: /,
    );
  });

  it('rejects a configuration file or section that is not a mapping', async () => {
    assert.match(await errorOf('- a\n'), /^config\.yaml:1:1: the file must be a mapping/);
    assert.match(await errorOf('directory: 15\n'), /^config\.yaml:1:1: must be a mapping of keys to values/);
  });

  it('rejects unknown checks in excluded_checks', async () => {
    assert.match(
      await errorOf('directory:\n  excluded_checks: [systemlog_streaming]\n'),
      /did you mean 'systemlog_streaming_enabled'\?/,
    );
  });
});
