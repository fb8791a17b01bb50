// Runs after `npm ci` and before the tests. Builds the console if its sources are newer than the build. Without development
// dependencies (`npm ci --omit=dev`), the build is skipped, and the service runs without the console.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = 'packages/console';
const EXCLUDED = ['dist', 'node_modules', 'test'];

/** Returns the time of the last change to a file or folder, in milliseconds. Removing a file changes its folder. */
function lastModified(entry) {
  const { mtimeMs } = statSync(entry);
  const children = statSync(entry).isDirectory()
    ? readdirSync(entry).map((name) => lastModified(path.join(entry, name)))
    : [];
  return Math.max(mtimeMs, ...children);
}

function isBuilt() {
  const page = path.join(root, CONSOLE, 'dist/index.html');
  const sources = readdirSync(path.join(root, CONSOLE)).filter((name) => !EXCLUDED.includes(name));
  const entries = ['package-lock.json', ...sources.map((name) => path.join(CONSOLE, name))];
  return (
    existsSync(page) &&
    entries.every((entry) => lastModified(path.join(root, entry)) < statSync(page).mtimeMs)
  );
}

if (!existsSync(path.join(root, 'node_modules/vite')))
  console.warn('The console was not built. Building it requires the development dependencies.');
else if (!isBuilt())
  execFileSync('npm', ['run', 'build', '--workspace', '@sluice/console'], { cwd: root, stdio: 'inherit' });
