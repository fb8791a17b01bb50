import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

// To regenerate the example, run `npx node <COMMAND>` in the root folder.
const COMMAND =
  'tools/findings-generator/src/cli.ts --records 12 --seed 4 --accounts 2 --checks 3 --resources 2 ' +
  '--fail-share 0.5 --muted-share 0.1 --output examples/findings.ocsf.json';

describe('examples/findings.ocsf.json', () => {
  it('examples/findings.ocsf.json has the exact bytes that the generator writes', async () => {
    const args = COMMAND.replace(/ --output .*/, '').split(' ');
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: ROOT });
    assert.equal(status, 0);
    const example = await readFile(new URL('../../../examples/findings.ocsf.json', import.meta.url));
    assert.equal(example.toString('utf8'), stdout.toString('utf8'));
    assert(example.equals(stdout));
  });
});
