import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FINDINGS, KEY, taken } from './support/push-results.ts';
import { type ActionRunner, makeActionRunner } from './support/run-action.ts';
import { packStub } from './support/stub-scanner.ts';

/** A folder without a scanner, and a PATH without one. */
const NOWHERE = '/nonexistent';
const BARE_PATH = [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
/** The hash of nothing that is used here. */
const OTHER = `sha512-${'A'.repeat(86)}==`;

describe('installing the scanner in the GitHub action', () => {
  let action: ActionRunner;
  before(async () => {
    action = await makeActionRunner();
  });
  after(() => action.remove());

  it('installs the tarball whose hash is given and runs the installed scanner', async () => {
    const { name, integrity } = await packStub(action.stub, action.folder);
    const plan = { findings: FINDINGS, pushed: [taken('findings.ocsf.json')] };
    const inputs = { package: `./${name}`, integrity };
    const { code, stdout, calls } = await action.run({ env: KEY, inputs, plan, scannerFolder: NOWHERE });
    assert.equal(code, 0, stdout);
    assert.equal(calls.length, 2);
  });

  it('does not install a tarball with another hash', async () => {
    const { name } = await packStub(action.stub, action.folder);
    const { code, stdout, calls } = await action.run({
      env: KEY,
      inputs: { package: `./${name}`, integrity: OTHER },
      scannerFolder: NOWHERE,
    });
    assert.deepEqual({ code, calls }, { code: 2, calls: [] });
    assert.match(
      stdout,
      /::error title=Sluice::The input package is not the file whose hash is the input integrity/,
    );
  });

  it('does not install packages that the tarball lacks', async () => {
    const lacking = path.join(action.folder, 'lacking');
    await mkdir(lacking);
    const manifest = { name: 'lacking', version: '1.0.0', dependencies: { '@sluice-test/nowhere': '1.0.0' } };
    await writeFile(path.join(lacking, 'package.json'), JSON.stringify(manifest));
    const { name, integrity } = await packStub(lacking, action.folder);
    const { code, stdout } = await action.run({ env: KEY, inputs: { package: `./${name}`, integrity } });
    assert.equal(code, 2);
    assert.match(
      stdout,
      /npm could not install the input package\. Give a tarball that npm run package made/,
    );
  });

  const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['no package and no scanner on the PATH', {}, /There is no scanner on the PATH\. Set the input package/],
    ['no integrity', { package: './a.tgz' }, /The input integrity takes the hash of the input package/],
    [
      'a short integrity',
      { package: './a.tgz', integrity: 'sha512-abc' },
      /The input integrity takes the hash/,
    ],
    ['a name without a version', { package: '@sluice/scanner', integrity: OTHER }, /or NAME@VERSION/],
    ['a tag for a version', { package: '@sluice/scanner@latest', integrity: OTHER }, /or NAME@VERSION/],
    ['a file that is not there', { package: './not-there.tgz', integrity: OTHER }, /npm could not fetch/],
    ['a flag of npm', { package: '--global', integrity: OTHER }, /must not start with a dash/],
  ];
  for (const [what, inputs, sentence] of wrong)
    it(`fails with a sentence when it is given ${what}`, async () => {
      const env = { ...KEY, PATH: BARE_PATH };
      const { code, stdout, calls } = await action.run({ env, inputs });
      assert.deepEqual({ code, calls }, { code: 2, calls: [] });
      assert.match(stdout, sentence);
    });

  it('passes no secret to npm', async () => {
    const bin = path.join(action.folder, 'npm-that-tells');
    await mkdir(bin);
    const seen = path.join(bin, 'seen');
    await writeFile(path.join(bin, 'npm'), `#!/bin/sh\n{ env; echo "words: $*"; } >"${seen}"\n`);
    await chmod(path.join(bin, 'npm'), 0o755);
    const env = { ...KEY, DIRECTORY_PRIVATE_KEY: 'nobody-knows-it', DIRECTORY_CLIENT_ID: 'client' };
    const inputs = { package: './any.tgz', integrity: OTHER };
    await action.run({ env, inputs, scannerFolder: bin });
    const told = await readFile(seen, 'utf8');
    assert.match(told, /^DIRECTORY_CLIENT_ID=client$/m);
    assert.doesNotMatch(told, /SCANNER_CLOUD_API_KEY|DIRECTORY_PRIVATE_KEY/);
    assert.match(told, /^words: pack .* \.\/any\.tgz --ignore-scripts$/m);
  });
});
