// After `npm ci`: builds the console, unless what it is built with was left out (`npm ci --omit=dev`). The service runs
// without it, too, and says so where its pages would be.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync(new URL('../node_modules/vite', import.meta.url)))
  execFileSync('npm', ['run', 'build', '--workspace', '@sluice/console'], { stdio: 'inherit' });
else console.warn('The console was not built: it needs the development dependencies.');
