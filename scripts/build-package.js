// Builds dist/ of the package in the current folder: JavaScript, published types, and other source files (pages,
// styles, WebAssembly). Only installed packages need it, because Node does not strip types in node_modules.
// Usage: node build-package.js [FOLDER]
import { execFile } from 'node:child_process';
import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const run = promisify(execFile);

const dist = path.resolve(process.argv[2] ?? 'dist');

await rm(dist, { recursive: true, force: true });
try {
  await run(process.execPath, [compiler, '--project', 'tsconfig.build.json', '--outDir', dist]);
} catch (error) {
  // The compiler prints its errors to stdout.
  process.stderr.write(error.stdout ?? '');
  throw error;
}
for (const entry of await readdir('src', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || entry.name.endsWith('.ts')) continue;
  const file = path.join(entry.parentPath, entry.name);
  await cp(file, path.join(dist, path.relative('src', file)));
}
