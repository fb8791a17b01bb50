import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TEST_SEEDS } from '../../../../ocsf/test/fuzz/test-seeds.ts';
import { uploadRun } from '../../fuzz/upload-run.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';

/** Number of uploads. `npm run test:fuzz` sends thousands. */
const UPLOADS = isWholeRun ? 50 : 8;

describe('upload fuzzing', () => {
  for (const { what, seed } of TEST_SEEDS)
    it(`rejects damaged uploads without side effects or accounts for every record (${what} cases)`, async (t) => {
      t.diagnostic(`seed ${seed}, ${UPLOADS} uploads`);
      const { disagreements, cases } = await uploadRun({ seed, cases: UPLOADS });
      assert.equal(disagreements.join('\n\n'), '');
      assert.equal(cases, UPLOADS);
    });
});
