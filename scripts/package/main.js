// npm run package [-- FOLDER] [--only service|scanner|executable]: builds the artifacts that run outside of this repository.
// The default folder is dist.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable, whyNoExecutable } from './executable.js';
import { integrityOf } from './integrity.js';
import { buildScannerTarball } from './scanner-tarball.js';
import { buildServiceTarball } from './service-tarball.js';

const PARTS = ['service', 'scanner', 'executable'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
if (values.only !== undefined && !PARTS.includes(values.only))
  throw new Error(`--only takes ${PARTS.join(', ')}, not ${values.only}`);
const wanted = new Set(values.only === undefined ? PARTS : [values.only]);

const folder = path.resolve(positionals[0] ?? 'dist');
await mkdir(folder, { recursive: true });
const scratch = await mkdtemp(path.join(tmpdir(), 'sluice-package-'));
try {
  const files = [];
  if (wanted.has('service'))
    files.push(await buildServiceTarball({ folder, staged: path.join(scratch, 'service') }));
  files.push(...(await buildScanner()));
  const lines = await Promise.all(
    files.map(async (file) => `${await integrityOf(path.join(folder, file))}  ${file}\n`),
  );
  await writeFile(path.join(folder, 'integrity.txt'), lines.join(''));
  process.stdout.write(lines.join(''));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Builds the tarball for the executable as well, which takes the licenses of its dependencies from there. */
async function buildScanner() {
  if (!wanted.has('scanner') && !wanted.has('executable')) return [];
  const staged = path.join(scratch, 'scanner');
  const files = [await buildScannerTarball({ folder, staged })];
  if (!wanted.has('executable')) return files;
  const reason = whyNoExecutable();
  if (reason === undefined) return [...files, ...(await buildExecutable({ folder, scratch, staged }))];
  if (values.only === 'executable') throw new Error(reason);
  console.error(`No executable: ${reason}`);
  return files;
}
