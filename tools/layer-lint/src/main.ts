// npm run lint:layers
import { globSync, readFileSync } from 'node:fs';
import { checkLayers } from './check-layers.ts';
import { LAYERS } from './layers.ts';

let count = 0;
for (const root of globSync('packages/*/src')) {
  if (LAYERS.some((layers) => layers.root === root)) continue;
  console.log(`${root}: the package has no layers. Add them to tools/layer-lint/src/layers.ts`);
  count++;
}
for (const layers of LAYERS) {
  const files = globSync(`${layers.root}/**/*.{ts,tsx}`, { exclude: ['**/*.d.ts'] }).map((file) => ({
    file,
    source: readFileSync(file, 'utf8'),
  }));
  for (const violation of checkLayers(layers, files)) {
    console.log(violation);
    count++;
  }
}
if (count > 0) process.exitCode = 1;
