// The scanner as one file that npm installs without asking a registry for anything: its dependencies are in it, as
// package-lock.json pins them, each with its license.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CHECKOUT, run } from './checkout.js';
import { cycloneDx } from './sbom.js';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent'];
const DOCS = ['docs/pipelines.md', 'docs/directory-setup.md', 'docs/records.md'];
const EXAMPLES = ['github', 'gitlab', 'kubernetes', 'findings.ocsf.json'];

/** Makes the tarball in `folder`, from what it lays out in `staged`. Resolves with the name of the file. */
export async function buildTarball({ folder, staged }) {
  await layOutPackage(staged);
  await installDependencies(staged);
  const manifestFile = path.join(staged, 'package.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
  const { scripts: _, ...published } = manifest;
  const bundled = {
    ...published,
    files: [...manifest.files, 'docs', 'examples', 'sbom.cdx.json'],
    bundleDependencies: Object.keys(manifest.dependencies),
  };
  await writeFile(manifestFile, `${JSON.stringify(bundled, null, 2)}\n`);
  await writeFile(path.join(staged, 'sbom.cdx.json'), await cycloneDx(staged));
  const [{ filename }] = JSON.parse(
    await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], staged),
  );
  return filename;
}

/**
 * What `npm pack` publishes of the scanner, with the license and the pages and examples that its README links to. Nothing is
 * written to the checkout, where another build may be running.
 */
async function layOutPackage(staged) {
  const scanner = path.join(CHECKOUT, 'packages/scanner');
  await mkdir(staged);
  await run(process.execPath, ['scripts/build.js', path.join(staged, 'dist')], scanner);
  for (const name of ['package.json', 'README.md', 'bin', 'client.js'])
    await cp(path.join(scanner, name), path.join(staged, name), { recursive: true });
  const readme = path.join(staged, 'README.md');
  await writeFile(readme, (await readFile(readme, 'utf8')).replaceAll('](../../docs/', '](docs/'));
  const copied = ['LICENSE', ...DOCS, ...EXAMPLES.map((name) => `examples/${name}`)];
  for (const name of copied)
    await cp(path.join(CHECKOUT, name), path.join(staged, name), { recursive: true });
}

/** `npm ci` of the scanner alone, with the lock file of the checkout. */
async function installDependencies(staged) {
  const installed = `${staged}.installed`;
  for (const name of ['package.json', 'package-lock.json', 'packages/scanner/package.json'])
    await cp(path.join(CHECKOUT, name), path.join(installed, name));
  await run('npm', ['ci', '--omit=dev', '--workspace', '@sluice/scanner', ...QUIET], installed);
  const modules = path.join(installed, 'node_modules');
  for (const name of ['.bin', '.package-lock.json', '@sluice'])
    await rm(path.join(modules, name), { recursive: true, force: true });
  await cp(modules, path.join(staged, 'node_modules'), { recursive: true });
}
