// Builds what runs outside this repository: npm run package [-- FOLDER] [--only tarball|executable]. Default folder: dist.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable, whyNoExecutable } from './executable.js';
import { integrityOf } from './integrity.js';
import { buildTarball } from './tarball.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
if (values.only !== undefined && !['tarball', 'executable'].includes(values.only))
  throw new Error(`--only takes tarball or executable, not ${values.only}`);

const folder = path.resolve(positionals[0] ?? 'dist');
await mkdir(folder, { recursive: true });
const scratch = await mkdtemp(path.join(tmpdir(), 'sluice-package-'));
try {
  const staged = path.join(scratch, 'package');
  const files = [await buildTarball({ folder, staged })];
  if (values.only !== 'tarball') {
    const reason = whyNoExecutable();
    if (reason === undefined) files.push(...(await buildExecutable({ folder, scratch, staged })));
    else if (values.only === 'executable') throw new Error(reason);
    else console.error(`No executable: ${reason}`);
  }
  const lines = await Promise.all(
    files.map(async (file) => `${await integrityOf(path.join(folder, file))}  ${file}\n`),
  );
  await writeFile(path.join(folder, 'integrity.txt'), lines.join(''));
  process.stdout.write(lines.join(''));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
