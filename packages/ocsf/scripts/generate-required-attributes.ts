// Writes src/conformance/required-attributes.ts from the extracted data of OCSF 1.1 to 1.8.
// Usage: generate-required-attributes.ts FOLDER
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatModule, readSchemas, requiredAttributes } from './required-attributes.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: npm run generate:required-attributes --workspace @sluice/ocsf -- FOLDER');
  process.exit(2);
}
const schemas = readSchemas(pathToFileURL(`${path.resolve(folder)}/`));
writeFileSync(
  new URL('../src/conformance/required-attributes.ts', import.meta.url),
  formatModule(requiredAttributes(schemas)),
);
