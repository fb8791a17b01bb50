// Runs after `npm ci`. Removes 67 MB of C headers from the `node` package, which are needed only to compile native add-ons.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Contains one package per platform, or none after `npm ci --ignore-scripts`.
const platforms = fileURLToPath(new URL('../node_modules/node/node_modules', import.meta.url));

for (const name of readNames(platforms))
  rmSync(path.join(platforms, name, 'include'), { recursive: true, force: true });

function readNames(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return [];
  }
}
