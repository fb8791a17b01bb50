// Builds the tarball of the service. It includes the console, but not the embedded PostgreSQL, an optional dependency.
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { installDependencies, packBundled } from './bundle.js';
import { CHECKOUT, run } from './checkout.js';

const PACKAGES = path.join(CHECKOUT, 'packages');

/** Stages the package in `staged` and packs it into `folder`. Returns the name of the tarball. */
export async function buildServiceTarball({ folder, staged }) {
  const siblings = path.join(staged, 'node_modules/@sluice');
  await mkdir(staged);
  await installDependencies(staged, 'server', ['ocsf', 'console']);
  await copyEntries('server', staged, ['package.json', 'bin', 'migrations']);
  await build('server', staged);
  await copyEntries('ocsf', path.join(siblings, 'ocsf'), ['package.json', 'README.md', 'index.js']);
  await build('ocsf', path.join(siblings, 'ocsf'));
  await run(process.execPath, ['scripts/build-console.js'], CHECKOUT);
  await copyEntries('console', path.join(siblings, 'console'), ['package.json', 'README.md', 'dist']);
  await cp(path.join(CHECKOUT, 'LICENSE'), path.join(staged, 'LICENSE'));
  return await packBundled({ folder, staged });
}

/** Copies the published files of a package that require no build. */
async function copyEntries(name, target, entries) {
  for (const entry of entries)
    await cp(path.join(PACKAGES, name, entry), path.join(target, entry), { recursive: true });
}

/** Builds a package outside the checkout, where another build may be running. */
async function build(name, target) {
  const args = [path.join(CHECKOUT, 'scripts/build-package.js'), path.join(target, 'dist')];
  await run(process.execPath, args, path.join(PACKAGES, name));
}
