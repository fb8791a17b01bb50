import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { runScanner } from './run-scanner.ts';

describe('command line', () => {
  it('prints the package version', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(text));
    for (const flag of ['--version', '-v']) {
      assert.deepEqual(await runScanner([flag]), { code: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it('documents all flags, environment variables, exit codes and examples in --help', async () => {
    const { code, stdout, stderr } = await runScanner(['directory', '--help']);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const flags = [
      ...[
        '-c, --checks',
        '-C, --checks-file',
        '-s, --services',
        '--severity',
        '--categories',
        '--compliance',
      ],
      ...['-e, --excluded-checks', '--excluded-services', '--list-checks', '--list-checks-json'],
      ...['--list-services', '--list-categories', '--list-compliance', '--status', '-M, --output-formats'],
      ...['-o, --output-directory', '-F, --output-filename', '-w, --mutelist-file', '--config-file'],
      ...[
        '-z, --ignore-exit-code-3',
        '-b, --no-banner',
        '--no-color',
        '--verbose',
        '--json',
        '--json-file',
        '--log-level',
        '--log-file',
      ],
      ...['--directory-org-domain', '--directory-client-id', '--directory-scopes', '--dialect'],
      ...['--directory-requests-per-second', '--directory-retries-max-attempts'],
    ];
    for (const flag of flags) assert.ok(stdout.includes(`  ${flag} `) || stdout.includes(`, ${flag} `), flag);
    assert.match(stdout, /default: csv json-ocsf html/);
    assert.match(stdout, /\nEnvironment:\n.*DIRECTORY_ORG_DOMAIN.*\nExit codes:\n.*\nExamples:\n/s);
    const secrets = stdout.split('\n').filter((line) => /^ +-/.test(line) && /private-key/.test(line));
    assert.deepEqual(secrets, [], '--help lists a flag for a secret');
  });

  it('prints the available commands and exits with 2 when no command is given', async () => {
    const { code, stdout, stderr } = await runScanner([]);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr, /^Usage: scanner/);
  });

  const invalid: readonly (readonly [readonly string[], RegExp])[] = [
    [['scan'], /^scanner: unknown command 'scan' \[usage\]\n$/],
    [['directry'], /^scanner: unknown command 'directry' \(Did you mean directory\?\) \[usage\]\n$/],
    [
      ['directory', '--verbos'],
      /^scanner: unknown option '--verbos' \(Did you mean --verbose\?\) \[usage\]\n$/,
    ],
    [
      ['directory', '--checks'],
      /^scanner: option '-c, --checks <check\.\.\.>' argument missing \[usage\]\n$/,
    ],
    [['directory', 'acme'], /^scanner: too many arguments.* \[usage\]\n$/],
    [
      ['directory', '--directory-private-key', 'x'],
      /^scanner: unknown option '--directory-private-key' \[usage\]\n$/,
    ],
    [
      ['directory', '--directory-requests-per-second', 'many'],
      /^scanner: .*must be 0 or a number from 0\.1 to 100\. \[usage\]\n$/,
    ],
    [
      ['directory', '--directory-requests-per-second', '0.01'],
      /must be 0 or a number from 0\.1 to 100\. \[usage\]\n$/,
    ],
    [
      ['directory', '--directory-retries-max-attempts', '11'],
      /must be a whole number from 0 to 10\. \[usage\]\n$/,
    ],
    [
      ['directory', '--directory-retries-max-attempts=-1'],
      /must be a whole number from 0 to 10\. \[usage\]\n$/,
    ],
    [['directory', '-M', ','], /^scanner: --output-formats requires at least one format \[usage\]\n$/],
    [
      ['directory', '--list-checks', '--list-services'],
      /^scanner: option .* cannot be used with option .* \[usage\]\n$/,
    ],
    [
      ['directory', '--json', '--list-checks'],
      /^scanner: option '--json' cannot be used with option .* \[usage\]\n$/,
    ],
    [['push'], /^scanner: missing required argument 'file' \[usage\]\n$/],
    [['completion', 'tcsh'], /^scanner: .*Allowed choices are bash, zsh, fish\. \[usage\]\n$/],
  ];
  for (const [args, message] of invalid) {
    it(`rejects '${args.join(' ')}' with exit code 2`, async () => {
      const { code, stdout, stderr } = await runScanner(args);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.match(stderr, message);
    });
  }

  it('reads LOG_LEVEL from the environment unless --log-level is set', async () => {
    const env = { LOG_LEVEL: 'loud' };
    const { code, stderr } = await runScanner(['directory', '--list-services'], { env });
    assert.equal(code, 2);
    assert.match(stderr, /unknown log level 'loud'/);
    const flag = await runScanner(['directory', '--list-services', '--log-level', 'info'], { env });
    assert.equal(flag.code, 0);
  });

  it('lists checks if no credentials are set and the home directory does not exist', async () => {
    const { code, stdout } = await runScanner(['directory', '-l'], { env: { HOME: '/nonexistent' } });
    assert.equal(code, 0);
    assert.match(stdout, /\n29 checks\n$/);
  });
});
