import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALL_CHECKS } from '../../src/checks/all-checks.ts';
import { CIS_CONTROLS } from '../../src/compliance/cis-controls.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';

const SAFEGUARDS = ['4.3', '5.2', '5.3', '5.4', '6.3', '6.5', '8.2', '8.9', '8.12'];

/** The check IDs of each safeguard in the documented table, which is maintained independently of the code. */
function checksInGuide(): ReadonlyMap<string, readonly string[]> {
  const guide = readFileSync(new URL('../../../../docs/directory-setup.md', import.meta.url), 'utf8');
  const rows = guide.split('\n').filter((line) => /^\| \d+\.\d+ /.test(line));
  return new Map(
    rows.flatMap((row) => {
      const checks = [...row.matchAll(/`(\w+)`/g)].map(([, id = '']) => id).sort();
      const safeguards = row.split('|')[1]?.match(/\d+\.\d+/g) ?? [];
      return safeguards.map((id) => [id, checks] as const);
    }),
  );
}

describe('CIS Controls', () => {
  it('maps 18 of the 29 checks to nine safeguards, as documented', () => {
    const expected = checksInGuide();
    assert.deepEqual([...expected.keys()], SAFEGUARDS);
    assert.equal(new Set([...expected.values()].flat()).size, 18);
    for (const dialect of Object.values(DIALECTS)) {
      const mapped = new Map<string, string[]>();
      for (const check of ALL_CHECKS)
        for (const { id } of CIS_CONTROLS.requirements(check, dialect))
          mapped.set(id, [...(mapped.get(id) ?? []), check.id].sort());
      assert.deepEqual(Object.fromEntries(mapped), Object.fromEntries(expected));
    }
  });

  it('gives each CIS requirement a value for every CSV attribute', () => {
    const all = ALL_CHECKS.flatMap((check) => CIS_CONTROLS.requirements(check, DIALECTS.directory));
    for (const { id, attributes } of all) {
      assert.deepEqual(Object.keys(attributes), CIS_CONTROLS.attributes);
      assert.ok(attributes.SECTION?.startsWith(`${id.split('.')[0]} `), `${id} ${attributes.SECTION}`);
    }
  });
});
