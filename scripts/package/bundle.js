// Packs a package as one file that npm can install without a registry. The file contains the dependencies pinned by
// package-lock.json and their licenses.
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CHECKOUT, run } from './checkout.js';
import { cycloneDx } from './sbom.js';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent'];

/**
 * Installs the dependencies of a workspace into the folder `staged`, with the lock file of the checkout. `siblings` are the
 * workspaces that it depends on. Siblings and optional dependencies are not installed.
 */
export async function installDependencies(staged, workspace, siblings = []) {
  const installed = `${staged}.installed`;
  const manifests = [workspace, ...siblings].map((name) => `packages/${name}/package.json`);
  for (const name of ['package.json', 'package-lock.json', ...manifests])
    await cp(path.join(CHECKOUT, name), path.join(installed, name));
  const args = ['ci', '--omit=dev', '--omit=optional', '--workspace', `@sluice/${workspace}`, ...QUIET];
  await run('npm', args, installed);
  const modules = path.join(installed, 'node_modules');
  for (const name of ['.bin', '.package-lock.json', '@sluice'])
    await rm(path.join(modules, name), { recursive: true, force: true });
  await rename(modules, path.join(staged, 'node_modules'));
}

/**
 * Packs the package in the folder `staged` with all dependencies and an SBOM. `files` are added to the files in its
 * package.json. Returns the name of the tarball.
 */
export async function packBundled({ folder, staged, files = [] }) {
  const manifestFile = path.join(staged, 'package.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
  // `npm sbom` reports missing development dependencies as an error.
  const { scripts: _, devDependencies: __, ...published } = manifest;
  const bundled = {
    ...published,
    files: [...manifest.files, ...files, 'sbom.cdx.json'],
    bundleDependencies: Object.keys(manifest.dependencies),
  };
  await writeFile(manifestFile, `${JSON.stringify(bundled, null, 2)}\n`);
  await writeFile(path.join(staged, 'sbom.cdx.json'), await cycloneDx(staged));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(await run('npm', args, staged));
  return filename;
}
