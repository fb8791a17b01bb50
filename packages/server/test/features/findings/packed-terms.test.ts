import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FINDING_SORTS, FINDING_TIES } from '../../../src/features/findings/finding-sorts.ts';
import { packTerms } from '../../../src/features/findings/packed-terms.ts';
import { parseSort } from '../../../src/jsonapi/sort.ts';

describe('sort keys in integers', () => {
  const ascending = { descending: false } as const;
  const [severity, status] = parseSort('severity,status', FINDING_SORTS);
  const check = { ...FINDING_TIES.check, ...ascending };

  it('ignores repeated sort keys', () => {
    const sort = parseSort('severity,status,-severity,severity', FINDING_SORTS);
    assert.deepEqual(sort, [severity, status]);
  });

  it('packs severity, status and check into one integer', () => {
    assert.ok(severity !== undefined && status !== undefined);
    assert.equal(packTerms([severity, status, check]).length, 1);
    assert.equal(packTerms([severity, { ...status, descending: true }, check]).length, 3);
  });

  it('begins another integer after 63 bits', () => {
    assert.ok(severity !== undefined && status !== undefined);
    const terms = packTerms([severity, severity, status, check]);
    assert.deepEqual(
      terms.map(({ sql }) => sql.split('<<').length - 1),
      [2, 0],
    );
  });
});
