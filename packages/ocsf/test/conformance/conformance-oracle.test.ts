import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { formatModule, readSchemas, requiredAttributes } from '../../scripts/required-attributes.ts';
import { findMissingAttributes } from '../../src/conformance/missing-attributes.ts';
import { seededRandom } from '../fuzz/random.ts';
import { TEST_SEEDS } from '../fuzz/test-seeds.ts';
import { checkRecords } from './check-records.ts';
import { randomRecord } from './random-record.ts';
import { SCHEMA_FOLDER, SchemaOracle, schemaSkipReason } from './schema-oracle.ts';

const CASES = isWholeRun ? 3000 : 1000;

/** Generates records from a seed. */
function randomRecords(seed: number): readonly string[] {
  const random = seededRandom(seed);
  return Array.from({ length: CASES }, () => randomRecord(random));
}

describe('missing attributes of random records', () => {
  for (const { what, seed } of TEST_SEEDS) {
    it(`are the same whether ${what} records are read from an extract or parsed in full`, (t) => {
      t.diagnostic(`seed ${seed}`);
      const records = randomRecords(seed);
      const checked = checkRecords(records);
      for (const [index, record] of records.entries()) {
        const expected = findMissingAttributes(JSON.parse(record)).map(({ pointer }) => pointer);
        assert.deepEqual(
          checked[index]?.pointers,
          expected.sort(),
          `seed ${seed}, record ${index}: ${record}`,
        );
      }
      const extracted = checked.filter(({ isExtracted }) => isExtracted);
      assert.ok(extracted.length > CASES / 4 && extracted.length < CASES, `${extracted.length} of ${CASES}`);
      const found = new Set(extracted.flatMap(({ pointers }) => pointers));
      assert.ok(found.size > 100, `only ${found.size} different attributes are missing`);
    });
  }
});

describe('missing attributes', { skip: schemaSkipReason }, () => {
  for (const { what, seed } of TEST_SEEDS) {
    it(`are those of the OCSF schema in ${what} records`, (t) => {
      t.diagnostic(`seed ${seed}`);
      const oracle = new SchemaOracle();
      const records = randomRecords(seed);
      for (const [index, { pointers }] of checkRecords(records).entries()) {
        const record = records[index] ?? '';
        assert.deepEqual(
          pointers,
          oracle.missingIn(JSON.parse(record)),
          `seed ${seed}, record ${index}: ${record}`,
        );
      }
    });
  }

  it('are those of the OCSF schema in the output of real scanners, complete or with each attribute removed', (t) => {
    const folder = new URL('../../../../../shared/data/', import.meta.url);
    if (!existsSync(folder))
      return t.skip('the output of real scanners is not available: ../shared/data is missing');
    const oracle = new SchemaOracle();
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.ocsf.json'))) {
      const records: readonly object[] = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      const sample = records.slice(0, 10).flatMap((record) => withoutEach(record));
      const all = [...records, ...sample].map((record) => JSON.stringify(record));
      for (const [index, { pointers, isExtracted }] of checkRecords(all).entries()) {
        assert.deepEqual(pointers, oracle.missingIn(JSON.parse(all[index] ?? '')), `${name}: ${all[index]}`);
        assert.ok(isExtracted || index >= records.length, `${name}, record ${index}`);
      }
    }
  });

  it('are detected by a list of attributes that matches the OCSF schema', () => {
    const module = new URL('../../src/conformance/required-attributes.ts', import.meta.url);
    const generated = formatModule(requiredAttributes(readSchemas(SCHEMA_FOLDER)));
    assert.equal(
      readFileSync(module, 'utf8'),
      generated,
      'the list is outdated; run "npm run generate:required-attributes --workspace @sluice/ocsf -- FOLDER"',
    );
  });
});

/** Returns a copy of the value for each member at any depth, without that member or with null in its place. */
function withoutEach(value: object): readonly unknown[] {
  const copies: unknown[] = [];
  const visit = (part: unknown, rebuild: (replaced: unknown) => unknown): void => {
    if (Array.isArray(part)) {
      for (const [index, element] of part.entries())
        visit(element, (replaced) => rebuild(part.with(index, replaced)));
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, member] of Object.entries(part)) {
        const { [key]: _, ...others }: Record<string, unknown> = { ...part };
        copies.push(rebuild(others), rebuild({ ...part, [key]: null }));
        if (key !== 'unmapped' && key !== 'data')
          visit(member, (replaced) => rebuild({ ...part, [key]: replaced }));
      }
    }
  };
  visit(value, (replaced) => replaced);
  return copies;
}
