// Runs after `npm ci`: the package `node` has 67 MB of C headers, which only the compilation of native add-ons would need.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// One package per platform; none is installed after `npm ci --ignore-scripts`.
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
