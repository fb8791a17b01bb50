import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertApplicable } from '../mutants/assert-applicable.ts';
import { MUTANTS } from '../mutants/mutants.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

describe('mutants', () => {
  for (const mutant of MUTANTS)
    it(`applies to the code and names existing tests: ${mutant.breaks}`, () => {
      assertApplicable(CHECKOUT, mutant);
    });
});
