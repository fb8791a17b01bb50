import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';

const SOURCE = path.join(import.meta.dirname, '../../src');
/** Statements that never run on a distributed database, and the reason. */
const EXCEPTIONS = new Map([
  ['backup/snapshot.ts', 'a distributed database cannot be backed up with one snapshot'],
  ['features/findings/filters.ts', 'only while findings are backfilled'],
  ['features/findings/search.ts', 'only while findings are backfilled'],
  ['features/providers/repository.ts', 'an outer join cannot be compared with a constant; Citus routes it'],
  ['ingest/worker/reread-frame.ts', 'only after an upgrade'],
]);

it('compares each table of a statement with the parameter of the tenant, so that one node can run it', () => {
  const found = globSync('**/*.ts', { cwd: SOURCE }).filter((file) =>
    /\w\.tenant_id = \w+\.tenant_id|current_tenant\(\)/.test(readFileSync(path.join(SOURCE, file), 'utf8')),
  );
  assert.deepEqual(found.sort(), [...EXCEPTIONS.keys()].sort());
});
