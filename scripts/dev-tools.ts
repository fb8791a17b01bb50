// npm run dev-tools: installs the packages of dev-tools, which only maintainers and some slow tests need, if they are missing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that has the packages in its `node_modules`. */
export const DEV_TOOLS = fileURLToPath(new URL('../dev-tools', import.meta.url));
const LOCK_FILE = path.join(DEV_TOOLS, 'package-lock.json');
/** The hash of the installed lock file. `npm ci` removes this file first, so it only exists after a complete install. */
const INSTALLED = path.join(DEV_TOOLS, 'node_modules', '.installed-lock-hash');
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Installs the packages unless they are installed. Returns an error message if that fails. */
export function installDevTools(): string | undefined {
  if (isInstalled()) return undefined;
  console.error('Installing the packages of dev-tools ...');
  const { status, stderr, error } = spawnSync('npm', ['ci', ...FLAGS], { cwd: DEV_TOOLS, encoding: 'utf8' });
  if (status === 0) {
    writeFileSync(INSTALLED, lockHash());
    return undefined;
  }
  // The first lines have only codes.
  const said = /^npm error (?!code |syscall |errno )(.+)$/m.exec(stderr ?? '')?.[1];
  const reason = error?.message ?? said ?? `npm ci exited with ${status}`;
  return `The packages of dev-tools cannot be installed: ${reason}`;
}

/** For `skip` of tests that need the packages: `false`, or why they are skipped. */
export function whyNoDevTools(): string | false {
  return isInstalled() ? false : 'needs the packages of dev-tools: npm run dev-tools';
}

/** The absolute path of a file of the packages, such as `assemblyscript/bin/asc.js`. */
export function devToolPath(file: string): string {
  return path.join(DEV_TOOLS, 'node_modules', file);
}

function isInstalled(): boolean {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lockHash();
}

function lockHash(): string {
  return createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
}

if (import.meta.main) {
  const reason = installDevTools();
  if (reason !== undefined) {
    console.error(reason);
    process.exitCode = 1;
  }
}
