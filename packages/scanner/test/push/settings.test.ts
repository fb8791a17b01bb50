import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureOf, KEY, makeFiles, pushOne, runPush } from './support/run-push.ts';
import { startService } from './support/service.ts';

describe('push settings', { concurrency: 2 }, () => {
  for (const [description, key] of [
    ['missing', undefined],
    ['empty', ''],
    ['blank', ' \n'],
  ] as const)
    it(`skips the push and reports the variable name if the API key is ${description}`, async (context) => {
      const service = await startService(context);
      const env = { SCANNER_CLOUD_API_KEY: key ?? '' };
      const { code, stdout, stderr } = await pushOne(context, { service, env });
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
      assert.equal(
        stderr,
        'Push skipped: SCANNER_CLOUD_API_KEY is not set; set it to an API key of the service [missing_api_key]\n',
      );
      assert.equal(service.requests.length, 0);
    });

  for (const [description, around] of [
    ['a trailing line break', (key: string) => `${key}\n`],
    ['surrounding spaces', (key: string) => `  ${key}\t\r\n`],
  ] as const)
    it(`accepts an API key with ${description}`, async (context) => {
      const service = await startService(context);
      const { code } = await pushOne(context, { service, env: { SCANNER_CLOUD_API_KEY: around(KEY) } });
      assert.equal(code, 0);
      assert.equal(service.uploads()[0]?.headers.authorization, `Api-Key ${KEY}`);
    });

  for (const key of ['part-one\npart-two', 'part-one part-two', 'part-önë'])
    it(`rejects an API key that is not a valid header value, without printing it: ${JSON.stringify(key)}`, async (context) => {
      const service = await startService(context);
      const result = await pushOne(context, { service, env: { SCANNER_CLOUD_API_KEY: key } });
      const { code, message } = failureOf(result);
      assert.equal(code, 'invalid_api_key');
      assert.match(message, /copy it again; check SCANNER_CLOUD_API_KEY$/);
      assert.doesNotMatch(result.stderr, /part-/);
      assert.equal(service.requests.length, 0);
    });

  for (const [name, value] of [
    ['SCANNER_CLOUD_TIMEOUT_SECONDS', '0'],
    ['SCANNER_CLOUD_TIMEOUT_SECONDS', 'a minute'],
    ['SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS', '-1'],
    ['SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS', '1.5'],
    ['SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS', '11'],
  ] as const)
    it(`rejects ${value} as ${name}`, async (context) => {
      const service = await startService(context);
      const { code, message } = failureOf(await pushOne(context, { service, env: { [name]: value } }));
      assert.equal(code, 'invalid_setting');
      assert.match(message, new RegExp(`^${name} must be a .*number from [\\d.]+ to \\d+, not '${value}'$`));
      assert.equal(service.requests.length, 0);
    });

  for (const [description, args, expectedMessage] of [
    ['--wait-timeout without --wait', ['--wait-timeout', '5'], /--wait-timeout requires --wait \[usage\]/],
    ['a label without a value', ['--label', 'branch'], /"branch" is not of the form key=value/],
    [
      'a label whose key begins with a dot',
      ['--label', '.a=b'],
      /"\.a=b" is not of the form key=value, with a key of up to 63 letters, digits, '\.', '_', '\/' and '-' that begins with a letter or digit \[usage\]/,
    ],
    ['a blank label', ['--label', 'branch= '], /--label branch has no value \[usage\]/],
    ['a label of two lines', ['--label', 'a=b\nc'], /--label a is not one line of plain text \[usage\]/],
    ['a long label', ['--label', `a=${'x'.repeat(1025)}`], /--label a is longer than 1024 characters/],
    ['a repeated label', ['--label', 'a=1', '--label', 'a=2'], /--label a is used more than once \[usage\]/],
    [
      'eleven labels',
      Array.from({ length: 11 }, (_, at) => ['--label', `key-${at}=1`]).flat(),
      /--label can be used at most 10 times \[usage\]/,
    ],
    [
      'an unknown coverage',
      ['--coverage', 'full'],
      /unknown coverage 'full'; valid values are partial, checks, account \[unknown_coverage\]/,
    ],
    ['an empty coverage', ['--coverage', ''], /unknown coverage ''; .+ \[unknown_coverage\]/],
    ['a time that is not a number', ['--wait', '--wait-timeout', '-5'], /must be a whole number of seconds/],
    ['an unknown flag', ['--fast'], /--fast/],
  ] as const)
    it(`rejects ${description} with exit code 2 and sends nothing`, async (context) => {
      const service = await startService(context);
      const cwd = await makeFiles(context);
      const { code, stdout, stderr } = await runPush([...args, 'a.ocsf.json'], { cwd, service });
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
      assert.match(stderr, expectedMessage);
      assert.equal(service.requests.length, 0);
    });

  it('rejects a push without a file', async (context) => {
    const { code, stderr } = await runPush([], { service: await startService(context) });
    assert.equal(code, 2);
    assert.match(stderr, /missing required argument 'file'/);
  });
});
