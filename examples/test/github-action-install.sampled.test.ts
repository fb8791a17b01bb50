import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { itInWholeRun } from '../../packages/server/test/support/is-whole-run.ts';
import { acceptedFile, FINDINGS, KEY } from './support/push-results.ts';
import { type ActionRunner, createActionRunner } from './support/run-action.ts';
import { packStub } from './support/stub-scanner.ts';

const MISSING_FOLDER = '/nonexistent';
/** A PATH without the scanner. */
const BARE_PATH = [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
/** A hash that matches no file. */
const OTHER_HASH = `sha512-${'A'.repeat(86)}==`;

describe('GitHub action installation', () => {
  let action: ActionRunner;
  before(async () => {
    action = await createActionRunner();
  });
  after(() => action.remove());

  it('the GitHub action installs a tarball with a matching hash and runs the installed scanner', async () => {
    const { name, integrity } = await packStub(action.stub, action.folder);
    const plan = { findings: FINDINGS, pushed: [acceptedFile('findings.ocsf.json')] };
    const inputs = { package: `./${name}`, integrity };
    const { code, stdout, calls } = await action.run({
      env: KEY,
      inputs,
      plan,
      scannerFolder: MISSING_FOLDER,
    });
    assert.equal(code, 0, stdout);
    assert.equal(calls.length, 2);
  });

  it('the GitHub action rejects a tarball with a different hash', async () => {
    const { name } = await packStub(action.stub, action.folder);
    const { code, stdout, calls } = await action.run({
      env: KEY,
      inputs: { package: `./${name}`, integrity: OTHER_HASH },
      scannerFolder: MISSING_FOLDER,
    });
    assert.deepEqual({ code, calls }, { code: 2, calls: [] });
    assert.match(
      stdout,
      /::error title=Sluice::The hash of the input 'package' does not match the input 'integrity'/,
    );
  });

  itInWholeRun(
    'the GitHub action does not download dependencies that the tarball does not contain',
    async () => {
      const incomplete = path.join(action.folder, 'incomplete');
      await mkdir(incomplete);
      const manifest = {
        name: 'incomplete',
        version: '1.0.0',
        dependencies: { '@sluice-test/missing': '1.0.0' },
      };
      await writeFile(path.join(incomplete, 'package.json'), JSON.stringify(manifest));
      const { name, integrity } = await packStub(incomplete, action.folder);
      const { code, stdout } = await action.run({ env: KEY, inputs: { package: `./${name}`, integrity } });
      assert.equal(code, 2);
      assert.match(stdout, /npm can't install the input 'package'\. Use a tarball built by npm run package/);
    },
  );

  const invalidInputs: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['no package and no scanner on the PATH', {}, /The scanner is not on the PATH\. Set the input 'package'/],
    ['no integrity hash', { package: './a.tgz' }, /The input 'integrity' must be the hash of the tarball/],
    [
      'an integrity hash that is too short',
      { package: './a.tgz', integrity: 'sha512-abc' },
      /The input 'integrity' must be the hash/,
    ],
    ['a name without a version', { package: '@sluice/scanner', integrity: OTHER_HASH }, /or NAME@VERSION/],
    [
      'a tag instead of a version',
      { package: '@sluice/scanner@latest', integrity: OTHER_HASH },
      /or NAME@VERSION/,
    ],
    ['a missing file', { package: './missing.tgz', integrity: OTHER_HASH }, /npm can't download/],
    ['an npm flag', { package: '--global', integrity: OTHER_HASH }, /must not start with a dash/],
  ];
  for (const [description, inputs, message] of invalidInputs)
    it(`the GitHub action exits with an error for ${description}`, async () => {
      const env = { ...KEY, PATH: BARE_PATH };
      const { code, stdout, calls } = await action.run({ env, inputs });
      assert.deepEqual({ code, calls }, { code: 2, calls: [] });
      assert.match(stdout, message);
    });

  it('the GitHub action does not pass secrets to npm', async () => {
    const bin = path.join(action.folder, 'fake-npm');
    await mkdir(bin);
    const recorded = path.join(bin, 'recorded');
    await writeFile(path.join(bin, 'npm'), `#!/bin/sh\n{ env; echo "args: $*"; } >"${recorded}"\n`);
    await chmod(path.join(bin, 'npm'), 0o755);
    const env = { ...KEY, DIRECTORY_PRIVATE_KEY: 'example-private-key', DIRECTORY_CLIENT_ID: 'client' };
    const inputs = { package: './any.tgz', integrity: OTHER_HASH };
    await action.run({ env, inputs, scannerFolder: bin });
    const environment = await readFile(recorded, 'utf8');
    assert.match(environment, /^DIRECTORY_CLIENT_ID=client$/m);
    assert.doesNotMatch(environment, /SCANNER_CLOUD_API_KEY|DIRECTORY_PRIVATE_KEY/);
    assert.match(environment, /^args: pack .* \.\/any\.tgz --ignore-scripts$/m);
  });
});
