// Builds the tarball of the scanner.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installDependencies, packBundled } from './bundle.js';
import { CHECKOUT, run } from './checkout.js';

const DOCS = ['docs/scanner.md', 'docs/directory-setup.md', 'docs/pipelines.md', 'docs/ingesting.md'];
const EXAMPLES = ['github', 'gitlab', 'kubernetes', 'findings.ocsf.json'];

/** Stages the package in `staged` and packs it into `folder`. Returns the name of the tarball. */
export async function buildScannerTarball({ folder, staged }) {
  await stagePackage(staged);
  await installDependencies(staged, 'scanner');
  return await packBundled({ folder, staged, files: ['docs', 'examples'] });
}

/**
 * Stages the published files of the scanner, the license, and the pages and examples that its README links to. Does not
 * write to the checkout, where another build may be running.
 */
async function stagePackage(staged) {
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
  for (const name of DOCS) {
    const page = path.join(staged, name);
    await writeFile(page, removeBrokenLinks(await readFile(page, 'utf8')));
  }
}

/** Replaces links to pages outside the package with the link text. */
function removeBrokenLinks(page) {
  return page.replaceAll(/\[([^\]]+)\]\(([\w./-]+\.md)(?:#[\w-]+)?\)/g, (link, text, target) =>
    DOCS.includes(path.posix.join('docs', target)) ? link : text,
  );
}
