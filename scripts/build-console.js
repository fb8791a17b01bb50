// After `npm ci` and before the tests: builds the console where its sources are newer than the build, unless what it is
// built with was left out (`npm ci --omit=dev`). The service runs without it, too, and says so where its pages would be.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const CONSOLE = 'packages/console';
const NOT_SOURCES = ['dist', 'node_modules', 'test'];

/** When a file, or anything in a folder, was changed last; a removed file changes its folder. In milliseconds. */
function changedAt(entry) {
  const { mtimeMs } = statSync(entry);
  const inside = statSync(entry).isDirectory()
    ? readdirSync(entry).map((name) => changedAt(path.join(entry, name)))
    : [];
  return Math.max(mtimeMs, ...inside);
}

function isBuilt() {
  const page = path.join(root, CONSOLE, 'dist/index.html');
  const sources = readdirSync(path.join(root, CONSOLE)).filter((name) => !NOT_SOURCES.includes(name));
  const entries = ['package-lock.json', ...sources.map((name) => path.join(CONSOLE, name))];
  return (
    existsSync(page) && entries.every((entry) => changedAt(path.join(root, entry)) < statSync(page).mtimeMs)
  );
}

if (!existsSync(path.join(root, 'node_modules/vite')))
  console.warn('The console was not built: it needs the development dependencies.');
else if (!isBuilt())
  execFileSync('npm', ['run', 'build', '--workspace', '@sluice/console'], { cwd: root, stdio: 'inherit' });
