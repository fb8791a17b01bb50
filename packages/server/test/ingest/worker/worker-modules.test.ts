import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';

const ENTRY = path.join(import.meta.dirname, '../../../src/ingest/worker/worker-thread-entry.ts');
/** Static imports and exports of values; those of types only are not loaded. */
const IMPORTS = /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?'([^']+)'/gm;

/** The packages that a module and the modules it imports load. */
async function packagesOf(file: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(IMPORTS)) {
    if (!name.startsWith('.')) packages.add(name);
    else for (const other of await packagesOf(path.join(path.dirname(file), name), seen)) packages.add(other);
  }
  return packages;
}

it('a worker thread does not load the schemas of the API, which take 4 MiB of memory', async () => {
  const packages = await packagesOf(ENTRY);
  assert.ok(packages.has('pg'));
  assert.ok(!packages.has('zod'));
});
