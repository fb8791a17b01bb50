// Builds dist/ for a package that is installed: there Node does not run TypeScript. What we wrote is put into a few
// files, @sluice/ocsf included; what comes from npm stays a dependency. node scripts/build.js [FOLDER]

import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const { dependencies = {} } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

await rm(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { scanner: 'src/cli.ts', client: 'src/client/index.ts' },
  outdir: dist,
  splitting: true,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
  metafile: true,
});

const inputs = Object.keys(metafile.inputs);
const undeclared = inputs.filter((file) => file.includes('node_modules/'));
if (undeclared.length > 0) {
  throw new Error(
    `package.json does not name among its dependencies what ${undeclared[0]} belongs to; without it the package would carry a copy`,
  );
}
// A module loads its WebAssembly from its own folder, which is dist/ by now.
for (const folder of new Set(inputs.map((file) => path.dirname(path.join(root, file))))) {
  const modules = (await readdir(folder)).filter((file) => file.endsWith('.wasm'));
  for (const file of modules) await copyFile(path.join(folder, file), path.join(dist, file));
}
// What programs import, described for TypeScript.
const types = ['--project', 'tsconfig.client.json', '--outDir', path.join(dist, 'types')];
await promisify(execFile)('npx', ['tsc', ...types], { cwd: root });
