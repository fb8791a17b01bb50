import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasPattern, patternOf } from '../../../src/ingest/merge/uid-pattern.ts';

describe('the pattern of a uid', () => {
  for (const [description, uid, checkId, pattern] of [
    ['is the uid with U+0001 in place of the check id', 'a-check-b', 'check', 'a-\u0001-b'],
    ['is U+0001 if the uid is the check id', 'check', 'check', '\u0001'],
    ['replaces only the first check id', 'check-check', 'check', '\u0001-check'],
    ['may consist of characters outside the BMP', '😀😀x', '😀', '\u0001😀x'],
    ['is null if the check id is not in the uid', 'finding-1', 'check', null],
    ['is null if the uid contains U+0001', 'check-\u0001', 'check', null],
    ['is null if the check id contains U+0001', 'a-c\u0001-b', 'c\u0001', null],
  ] as const)
    it(description, () => assert.equal(patternOf(uid, checkId), pattern));
});

describe('comparing a uid with a pattern', () => {
  for (const [pattern, checkId, uid, expected] of [
    ['a-\u0001-b', 'check', 'a-check-b', true],
    ['a-\u0001-b', 'other_check', 'a-other_check-b', true],
    ['\u0001-check', 'check', 'check-check', true],
    ['\u0001-check', 'other', 'other-check', true],
    ['\u0001-check', 'other', 'other-other', false],
    ['a-\u0001-b', 'check', 'a-chec-b', false],
    ['a-\u0001-b', 'check', 'a-check-c', false],
    ['a-\u0001-b', 'check', 'x-check-b', false],
    // Prefix and suffix overlap in the uid.
    ['aba\u0001aba', 'b', 'aba', false],
    ['a\u0001b', 'c\u0001', 'ac\u0001b', true],
    [null, 'check', 'check', false],
  ] as const)
    it(`${expected ? 'finds' : 'does not find'} ${JSON.stringify(uid)} in ${JSON.stringify(pattern)} with ${JSON.stringify(checkId)}`, () =>
      assert.equal(hasPattern(uid, checkId, pattern), expected));

  it('agrees with replacing the placeholder by the check id', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', '😀'), maxLength: 6 });
    const checkIds = fc.string({
      unit: fc.constantFrom('a', 'b', '\u0001', '😀'),
      minLength: 1,
      maxLength: 3,
    });
    const uids = fc.tuple(text, checkIds, text).map((parts) => parts.join(''));
    fc.assert(
      fc.property(uids, checkIds, uids, checkIds, (uid, checkId, otherUid, otherCheckId) => {
        const pattern = patternOf(uid, checkId);
        const built = (id: string) => pattern?.split('\u0001').join(id);
        assert.equal(hasPattern(uid, checkId, pattern), built(checkId) === uid);
        assert.equal(hasPattern(otherUid, otherCheckId, pattern), built(otherCheckId) === otherUid);
        if (pattern !== null) assert.equal(hasPattern(uid, checkId, pattern), true);
      }),
      { numRuns: 2000 },
    );
  });
});
