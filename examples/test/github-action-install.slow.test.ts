import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FINDINGS, KEY, taken } from './support/push-results.ts';
import { type ActionRunner, makeActionRunner } from './support/run-action.ts';
import { runProcess } from './support/run-process.ts';

describe('installing the scanner in the GitHub action', () => {
  let action: ActionRunner;
  before(async () => {
    action = await makeActionRunner();
  });
  after(() => action.remove());

  it('installs a tarball with npm and runs the installed scanner', async () => {
    const pack = ['pack', '--silent', '--pack-destination', action.folder];
    await runProcess('npm', pack, { cwd: action.stub });
    const plan = { findings: FINDINGS, pushed: [taken('findings.ocsf.json')] };
    const inputs = { package: './sluice-test-scanner-1.0.0.tgz' };
    const { code, calls } = await action.run({ env: KEY, inputs, plan, scannerFolder: action.folder });
    assert.equal(code, 0);
    assert.equal(calls.length, 2);
  });

  it('reports what to do when npm cannot install the scanner', async () => {
    const { code, stdout, calls } = await action.run({ env: KEY, inputs: { package: './not-there.tgz' } });
    assert.deepEqual({ code, calls }, { code: 2, calls: [] });
    assert.match(stdout, /npm could not install the input package; give a name/);
  });

  it('passes no secret to npm and accepts no npm flag as a package', async () => {
    const bin = path.join(action.folder, 'npm-that-tells');
    await mkdir(bin);
    const seen = path.join(bin, 'seen');
    await writeFile(path.join(bin, 'npm'), `#!/bin/sh\n{ env; echo "words: $*"; } >"${seen}"\n`);
    await chmod(path.join(bin, 'npm'), 0o755);
    const env = { ...KEY, DIRECTORY_PRIVATE_KEY: 'nobody-knows-it', DIRECTORY_CLIENT_ID: 'client' };
    await action.run({ env, inputs: { package: '--global' }, scannerFolder: bin });
    const told = await readFile(seen, 'utf8');
    assert.match(told, /^DIRECTORY_CLIENT_ID=client$/m);
    assert.doesNotMatch(told, /SCANNER_CLOUD_API_KEY|DIRECTORY_PRIVATE_KEY/);
    assert.match(told, /^words: install .* --ignore-scripts .*-- --global$/m);
  });
});
