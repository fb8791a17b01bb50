// Builds the scanner as a single file without dependencies: a Node binary that contains the scanner (see "Single executable
// applications" in the Node.js documentation).
import { chmod, copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';
import { CHECKOUT, run } from './checkout.js';

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Returns the reason why this platform can't build the executable, or `undefined`. */
export function getUnsupportedReason() {
  const platform = `${process.platform} ${process.arch}`;
  return platform === 'linux x64'
    ? undefined
    : `The executable can be built only on linux x64, not on ${platform}.`;
}

/** Builds the executable and a file with the licenses of its contents. Returns the file names. */
export async function buildExecutable({ folder, scratch, staged }) {
  const { version } = JSON.parse(await readFile(path.join(staged, 'package.json'), 'utf8'));
  const name = `sluice-scanner-${version}-linux-x64`;
  const main = path.join(scratch, 'scanner.cjs');
  const blob = path.join(scratch, 'scanner.blob');
  await build({
    absWorkingDir: path.join(CHECKOUT, 'packages/scanner'),
    entryPoints: ['src/cli/main.ts'],
    outfile: main,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    // CommonJS has no import.meta, which a dependency uses to resolve modules.
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(process.execPath).href;" },
    define: { 'import.meta.url': 'ownUrl' },
  });
  const config = path.join(scratch, 'sea.json');
  await writeFile(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true }));
  await run(process.execPath, ['--experimental-sea-config', config], scratch);
  const file = path.join(folder, name);
  await copyFile(process.execPath, file);
  await inject(file, 'NODE_SEA_BLOB', await readFile(blob), { sentinelFuse: FUSE });
  await chmod(file, 0o755);
  await writeFile(path.join(folder, `${name}.LICENSES.txt`), await collectLicenses(staged));
  return [name, `${name}.LICENSES.txt`];
}

/** Concatenates the licenses of the scanner and its bundled packages. */
async function collectLicenses(staged) {
  const texts = [`@sluice/scanner\n\n${await readFile(path.join(staged, 'LICENSE'), 'utf8')}`];
  const modules = path.join(staged, 'node_modules');
  for (const entry of (await readdir(modules, { recursive: true })).sort()) {
    if (!/(^|\/)(licen[cs]e|notice)[^/]*$/i.test(entry) || entry.endsWith('.js')) continue;
    texts.push(`${path.dirname(entry)}\n\n${await readFile(path.join(modules, entry), 'utf8')}`);
  }
  texts.push(
    `Node.js ${process.version}\n\nSee https://github.com/nodejs/node/blob/${process.version}/LICENSE\n`,
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
