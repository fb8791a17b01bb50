import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { installOffline, type Packaged, packageScanner, run } from './support.ts';

const bomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  serialNumber: z.undefined().optional(),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string(), version: z.string() }) }),
  components: z.array(
    z.looseObject({
      name: z.string(),
      version: z.string(),
      licenses: z.array(z.unknown()).nonempty(),
      externalReferences: z.array(z.object({ type: z.string(), url: z.string() })).optional(),
    }),
  ),
});

describe('tarball from npm run package in an empty folder', () => {
  let packaged: Packaged;
  let folder: string;
  let packageFolder: string;
  let name: string;
  before(async () => {
    packaged = await packageScanner('--only', 'scanner');
    [name = ''] = Object.keys(packaged.files);
    folder = await mkdtemp(path.join(tmpdir(), 'scanner-installed-'));
    packageFolder = await installOffline(folder, path.join(packaged.folder, name));
  });
  after(async () => {
    await packaged?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('runs the scanner from a tarball installed without a registry', async () => {
    assert.match(name, /^sluice-scanner-\d+\.\d+\.\d+\.tgz$/);
    const scanner = path.join(folder, 'node_modules/.bin/scanner');
    const { stdout } = await run(process.execPath, [scanner, 'directory', '--list-checks'], { cwd: folder });
    assert.match(stdout, /\n29 checks\n$/);
  });

  it('creates a tarball that matches the published integrity hash', async () => {
    const hash = createHash('sha512').update(await readFile(path.join(packaged.folder, name)));
    assert.equal(packaged.files[name], `sha512-${hash.digest('base64')}`);
  });

  it('packs a license, and a README whose links point to files in the package', async () => {
    assert.match(await readFile(path.join(packageFolder, 'LICENSE'), 'utf8'), /Apache License/);
    const pages = ['scanner', 'directory-setup', 'pipelines', 'ingesting'].map((name) => `docs/${name}.md`);
    for (const page of ['README.md', ...pages]) {
      const text = await readFile(path.join(packageFolder, page), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
      for (const target of links)
        assert.ok(existsSync(path.resolve(packageFolder, path.dirname(page), target)), `${page}: ${target}`);
    }
  });

  it('creates a CycloneDX bill of materials that lists exactly the bundled packages', async () => {
    const bom = bomSchema.parse(
      JSON.parse(await readFile(path.join(packageFolder, 'sbom.cdx.json'), 'utf8')),
    );
    assert.ok(name.includes(bom.metadata.component.version));
    const lock = z
      .object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) })
      .parse(JSON.parse(await readFile(path.join(folder, 'node_modules/.package-lock.json'), 'utf8')));
    const inside = 'node_modules/@sluice/scanner/node_modules/';
    const installed = Object.entries(lock.packages)
      .filter(([place]) => place.startsWith(inside))
      .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);
    assert.ok(installed.length >= 10);
    assert.deepEqual(
      bom.components.map((each) => `${each.name}@${each.version}`).sort(),
      [...new Set(installed)].sort(),
    );
    for (const { externalReferences = [] } of bom.components)
      assert.ok(externalReferences.every(({ type }) => type !== 'distribution'));
  });
});
