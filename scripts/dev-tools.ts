// npm run dev-tools: installs the dev-tools packages if they are missing. Only maintainers and some slow tests need them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder whose `node_modules` contains the packages. */
export const DEV_TOOLS = fileURLToPath(new URL('../dev-tools', import.meta.url));
const LOCK_FILE = path.join(DEV_TOOLS, 'package-lock.json');
/** Contains the hash of the installed lock file. `npm ci` deletes it first, so it exists only after a complete installation. */
const INSTALLED = path.join(DEV_TOOLS, 'node_modules', '.installed-lock-hash');
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Installs the packages if they are missing or outdated. Returns an error message if that fails. */
export function installDevTools(): string | undefined {
  if (isInstalled()) return undefined;
  console.error('Installing the dev-tools packages ...');
  const { status, stderr, error } = spawnSync('npm', ['ci', ...FLAGS], { cwd: DEV_TOOLS, encoding: 'utf8' });
  if (status === 0) {
    writeFileSync(INSTALLED, lockHash());
    return undefined;
  }
  // The first lines contain only error codes.
  const npmMessage = /^npm error (?!code |syscall |errno )(.+)$/m.exec(stderr ?? '')?.[1];
  const reason = error?.message ?? npmMessage ?? `npm ci exited with ${status}`;
  return `The dev-tools packages cannot be installed: ${reason}`;
}

/** Returns the `skip` option of tests that require the packages: `false`, or the reason to skip them. */
export function getDevToolsSkipReason(): string | false {
  return isInstalled() ? false : 'requires the dev-tools packages; run npm run dev-tools';
}

/** Returns the absolute path of a file in the packages, such as `assemblyscript/bin/asc.js`. */
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
