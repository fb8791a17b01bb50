// Builds dist/ for the npm package, because Node does not run TypeScript in node_modules. Bundles our own modules, including
// @sluice/ocsf, into a few files; npm packages remain dependencies. Usage: node scripts/build.js [FOLDER]

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
  entryPoints: { scanner: 'src/cli/main.ts', client: 'src/client/index.ts' },
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
    `${undeclared[0]} belongs to a package that package.json does not list as a dependency, so it would be bundled`,
  );
}
// Modules load WebAssembly from their own folder, which is dist/ after bundling.
for (const folder of new Set(inputs.map((file) => path.dirname(path.join(root, file))))) {
  const modules = (await readdir(folder)).filter((file) => file.endsWith('.wasm'));
  for (const file of modules) await copyFile(path.join(folder, file), path.join(dist, file));
}
// Type declarations of the client.
const types = ['--project', 'tsconfig.client.json', '--outDir', path.join(dist, 'types')];
await promisify(execFile)('npx', ['tsc', ...types], { cwd: root });
