import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../packages/server/test/support/process.ts';

const SCRIPT = fileURLToPath(new URL('../dev-tools.ts', import.meta.url));

describe('npm run dev-tools', () => {
  let folder: string;
  const inFolder = (...segments: string[]) => path.join(folder, ...segments);
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-dev-tools-'));
    await cp(SCRIPT, inFolder('scripts', 'dev-tools.ts'));
    await mkdir(inFolder('dev-tools'));
    for (const name of ['first', 'second']) {
      await mkdir(inFolder(name));
      await writeFile(inFolder(name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Writes a package.json with these dependencies, and its lock file. */
  async function lock(dependencies: Readonly<Record<string, string>>) {
    const packages = Object.entries(dependencies).map(([name, from]): [string, object][] =>
      from.startsWith('file:')
        ? [
            [`../${name}`, { version: '1.0.0' }],
            [`node_modules/${name}`, { resolved: `../${name}`, link: true }],
          ]
        : [[`node_modules/${name}`, { version: from }]],
    );
    const manifest = { name: 'tools', dependencies };
    const lockFile = {
      lockfileVersion: 3,
      packages: { '': manifest, ...Object.fromEntries(packages.flat()) },
    };
    await writeFile(inFolder('dev-tools', 'package.json'), JSON.stringify(manifest));
    await writeFile(inFolder('dev-tools', 'package-lock.json'), JSON.stringify(lockFile));
  }

  async function install() {
    // No registry listens on this port, and the cache is empty.
    const env = {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:1/',
      npm_config_cache: inFolder('cache'),
      npm_config_fetch_retries: '0',
    };
    const { code, stderr } = await run(process.execPath, [inFolder('scripts', 'dev-tools.ts')], { env });
    return { code, stderr };
  }

  it('installs missing dev-tools packages, and does nothing if all packages are installed', async () => {
    await lock({ first: 'file:../first' });
    assert.deepEqual(await install(), { code: 0, stderr: 'Installing the dev-tools packages ...\n' });
    assert.ok(existsSync(inFolder('dev-tools', 'node_modules', 'first', 'package.json')));
    assert.deepEqual(await install(), { code: 0, stderr: '' });
  });

  it('reinstalls the dev-tools packages after their lock file changes', async () => {
    await lock({ first: 'file:../first', second: 'file:../second' });
    assert.match((await install()).stderr, /^Installing/);
    assert.ok(existsSync(inFolder('dev-tools', 'node_modules', 'second', 'package.json')));
    assert.deepEqual(await install(), { code: 0, stderr: '' });
  });

  it('reports why the dev-tools packages cannot be installed, and retries on the next run', async () => {
    await lock({ 'not-in-the-cache': '1.0.0' });
    for (const _ of [1, 2]) {
      const { code, stderr } = await install();
      assert.equal(code, 1);
      assert.match(stderr, /\nThe dev-tools packages cannot be installed: .*127\.0\.0\.1:1.*\n$/);
    }
  });
});
