import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('../../../../scripts/package/main.js', import.meta.url));
export const run = promisify(execFile);

export interface Packaged {
  /** The output of `npm run package`. */
  readonly folder: string;
  /** The integrity hash of each file, by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

/** Runs `npm run package` with a temporary output folder. */
export async function packageScanner(...args: string[]): Promise<Packaged> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scanner-package-'));
  await run(process.execPath, [MAIN, folder, ...args]);
  const lines = (await readFile(path.join(folder, 'integrity.txt'), 'utf8')).trimEnd().split('\n');
  const files = lines.map((line): [string, string] => {
    const [integrity = '', name = ''] = line.split('  ');
    return [name, integrity];
  });
  return {
    folder,
    files: Object.fromEntries(files),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Installs a tarball without a registry and with an empty npm cache. Resolves with the scanner's folder. */
export async function installOffline(folder: string, tarball: string): Promise<string> {
  const cache = path.join(folder, 'empty-cache');
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--cache', cache];
  await run('npm', ['install', '--prefix', folder, ...flags, tarball], { cwd: folder });
  return path.join(folder, 'node_modules', '@sluice', 'scanner');
}
