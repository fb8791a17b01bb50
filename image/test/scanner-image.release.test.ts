import assert from 'node:assert/strict';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startEmulator } from '../../packages/directory-emulator/src/index.ts';
import { buildImage, type Image } from './support/build-image.ts';
import { getContainerSkipReason } from './support/container.ts';
import { runImage } from './support/run-image.ts';

describe('scanner image with a read-only root file system', {
  skip: await getContainerSkipReason(),
}, () => {
  let image: Image;
  let output: string;
  before(async () => {
    image = await buildImage('Dockerfile.scanner');
    output = await mkdtemp(path.join(tmpdir(), 'sluice-output-'));
    await chown(output, 1000, 1000);
  });
  after(async () => {
    await image?.remove();
    await rm(output, { recursive: true, force: true });
  });

  it('the scanner image prints its help if started without arguments', async () => {
    const { code, stdout, stderr } = await runImage(image, [], { env: {} });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^Usage: scanner/);
  });

  it('the scanner image contains neither sources nor development dependencies', async () => {
    const app = await readdir(path.join(image.root, 'app'));
    assert.deepEqual(
      ['src', 'test', 'scripts'].filter((name) => app.includes(name)),
      [],
    );
    for (const name of ['LICENSE', 'README.md', 'sbom.cdx.json', 'dist']) assert.ok(app.includes(name), name);
    const modules = await readdir(path.join(image.root, 'app/node_modules'));
    assert.ok(modules.includes('undici') && !modules.includes('typescript') && !modules.includes('esbuild'));
  });

  it('the scanner image writes the results of a scan to the mounted folder', async () => {
    const emulator = await startEmulator({ organization: 'mixed' });
    try {
      const args = ['directory', '--directory-requests-per-second', '0', '-o', '/output', '-F', 'scan'];
      const { code, stderr } = await runImage(image, args, {
        env: emulator.environment(),
        volumes: { '/output': output },
      });
      assert.equal(code, 3, stderr);
      assert.deepEqual((await readdir(output)).sort(), [
        'compliance',
        'scan.csv',
        'scan.html',
        'scan.ocsf.json',
      ]);
    } finally {
      await emulator.stop();
    }
  });
});
