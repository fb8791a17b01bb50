import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findOlderNode } from '../../../../scripts/find-older-node.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { run } from '../support/process.ts';
import { createSandbox } from '../support/sandbox.ts';
import { settings } from '../support/service.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const env = { PATH: '/usr/bin:/bin' };
const older = (await findOlderNode()) ?? '';

describe('sluice on an older Node.js version', { skip: older === '' && 'requires Node.js 20 or 22' }, () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('runs sluice in a checkout with the Node.js version that npm ci installed, and returns the exit code', async () => {
    const bin = path.join(PACKAGE, 'bin', 'sluice.js');
    const version = await run(older, [bin, '--version'], { env });
    assert.deepEqual([version.code, version.stderr], [0, '']);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    const rejected = await run(older, [bin, 'tenant', 'create'], { env });
    assert.deepEqual([rejected.code, rejected.stdout], [2, '']);
    assert.match(rejected.stderr, /^sluice: missing required argument 'name'\n/);
  });

  itInWholeRun('shuts down a service started with an older Node.js version on SIGTERM', async () => {
    const bin = path.join(PACKAGE, 'bin', 'sluice.js');
    const dataDir = await sandbox.newDataDir();
    const started = sandbox.startProcess(older, [bin, 'serve'], {
      env: { ...settings(dataDir, {}), ...env },
    });
    await started.printed(/Sluice is ready/);
    started.signal('SIGTERM');
    assert.equal(await started.exited, 0);
    assert.equal(started.groupLives(), false);
  });

  it('exits with a one-line error that names the required Node.js version if sluice is installed as a package', async () => {
    const folder = await sandbox.newDataDir();
    for (const name of ['bin', 'package.json'])
      await cp(path.join(PACKAGE, name), path.join(folder, name), { recursive: true });
    const { code, stdout, stderr } = await run(older, [path.join(folder, 'bin', 'sluice.js'), 'serve'], {
      env,
    });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^sluice requires Node\.js 24 or later \(this is v2\d\.\d+\.\d+\)\.\n$/);
  });
});
