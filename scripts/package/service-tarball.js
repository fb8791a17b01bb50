// Builds the tarball of the service with the console, but without the embedded PostgreSQL, an optional dependency.
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { installDependencies, packBundled } from './bundle.js';
import { CHECKOUT, run } from './checkout.js';

const PACKAGES = path.join(CHECKOUT, 'packages');

/** Stages the package in `staged` and packs it into `folder`. Resolves with the name of the tarball. */
export async function buildServiceTarball({ folder, staged }) {
  const inside = path.join(staged, 'node_modules/@sluice');
  await mkdir(staged);
  await installDependencies(staged, 'server', ['ocsf', 'console']);
  await layOut('server', staged, ['package.json', 'bin', 'migrations']);
  await build('server', staged);
  await layOut('ocsf', path.join(inside, 'ocsf'), ['package.json', 'README.md', 'index.js']);
  await build('ocsf', path.join(inside, 'ocsf'));
  await run(process.execPath, ['scripts/build-console.js'], CHECKOUT);
  await layOut('console', path.join(inside, 'console'), ['package.json', 'README.md', 'dist']);
  await cp(path.join(CHECKOUT, 'LICENSE'), path.join(staged, 'LICENSE'));
  return await packBundled({ folder, staged });
}

/** Copies published files of a package that need no build. */
async function layOut(name, target, entries) {
  for (const entry of entries)
    await cp(path.join(PACKAGES, name, entry), path.join(target, entry), { recursive: true });
}

/** Builds outside of the checkout, where another build may be running. */
async function build(name, target) {
  const words = [path.join(CHECKOUT, 'scripts/build-package.js'), path.join(target, 'dist')];
  await run(process.execPath, words, path.join(PACKAGES, name));
}
