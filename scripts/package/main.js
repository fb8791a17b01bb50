// npm run package [-- FOLDER] [--only service|scanner|executable]: builds the release artifacts. The default folder is dist.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable, getUnsupportedReason } from './executable.js';
import { integrityOf } from './integrity.js';
import { buildScannerTarball } from './scanner-tarball.js';
import { buildServiceTarball } from './service-tarball.js';

const ARTIFACTS = ['service', 'scanner', 'executable'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
if (values.only !== undefined && !ARTIFACTS.includes(values.only))
  throw new Error(`--only must be one of ${ARTIFACTS.join(', ')}, not '${values.only}'`);
const requested = new Set(values.only === undefined ? ARTIFACTS : [values.only]);

const folder = path.resolve(positionals[0] ?? 'dist');
await mkdir(folder, { recursive: true });
const scratch = await mkdtemp(path.join(tmpdir(), 'sluice-package-'));
try {
  const files = [];
  if (requested.has('service'))
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

/** Also builds the tarball for the executable, which needs the licenses of the staged dependencies. */
async function buildScanner() {
  if (!requested.has('scanner') && !requested.has('executable')) return [];
  const staged = path.join(scratch, 'scanner');
  const files = [await buildScannerTarball({ folder, staged })];
  if (!requested.has('executable')) return files;
  const reason = getUnsupportedReason();
  if (reason === undefined) return [...files, ...(await buildExecutable({ folder, scratch, staged }))];
  if (values.only === 'executable') throw new Error(reason);
  console.error(`The executable was not built: ${reason}`);
  return files;
}
