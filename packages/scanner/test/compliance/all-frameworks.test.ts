import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_CHECKS } from '../../src/checks/all-checks.ts';
import { ALL_FRAMEWORKS, checksOf, reportedFrameworks } from '../../src/compliance/all-frameworks.ts';
import { CIS_CONTROLS } from '../../src/compliance/cis-controls.ts';
import { STIG } from '../../src/compliance/stig.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';

const { directory } = DIALECTS;

describe('reported frameworks', () => {
  it('without --compliance, reports every framework whose checks are all selected', () => {
    const reported = (chosen: typeof ALL_CHECKS) => reportedFrameworks([], chosen, ALL_CHECKS, directory);
    assert.deepEqual(reported(ALL_CHECKS), [STIG, CIS_CONTROLS]);
    assert.deepEqual(reported(checksOf(CIS_CONTROLS, ALL_CHECKS, directory)), [CIS_CONTROLS]);
    assert.deepEqual(reported(ALL_CHECKS.slice(1)), []);
  });

  it('reports the frameworks in --compliance, regardless of the selected checks', () => {
    const chosen = ALL_CHECKS.slice(1);
    const named = (...args: string[]) => reportedFrameworks(args, chosen, ALL_CHECKS, directory);
    assert.deepEqual(named('cis-controls-8.1'), [CIS_CONTROLS]);
    assert.deepEqual(named('CIS-Controls-8.1', STIG.name(directory)), [STIG, CIS_CONTROLS]);
  });

  it('gives every framework a unique name and file name', () => {
    for (const dialect of Object.values(DIALECTS)) {
      const names = ALL_FRAMEWORKS.map((framework) => framework.name(dialect).toLowerCase());
      assert.equal(new Set(names).size, ALL_FRAMEWORKS.length);
      for (const name of names) assert.match(name, /^[\w.-]+$/);
    }
  });
});
