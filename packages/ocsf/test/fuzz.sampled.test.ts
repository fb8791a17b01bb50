import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWholeRun } from '../../server/test/support/is-whole-run.ts';
import { extractFuzzer } from './fuzz/extract-fuzzer.ts';
import { type Fuzzer, runFuzzer } from './fuzz/fuzzer.ts';
import { MUTATIONS } from './fuzz/mutations.ts';
import { reduce } from './fuzz/reduce.ts';
import { splitterFuzzer } from './fuzz/splitter-fuzzer.ts';
import { TEST_SEEDS } from './fuzz/test-seeds.ts';

/** Number of cases per fuzzer. `npm run test:fuzz` runs a million. */
const CASES = isWholeRun ? 4_000 : 1_000;

for (const [fuzzer, what] of [
  [splitterFuzzer, 'the record splitter agrees with JSON.parse on random files in chunks of any size'],
  [extractFuzzer, 'the fields in extracts agree with JSON.parse on records from random files'],
] as const) {
  describe(what, () => {
    for (const { what: cases, seed } of TEST_SEEDS) {
      it(`finds no disagreement with JSON.parse in ${cases} cases`, (t) => {
        t.diagnostic(`seed ${seed}, ${CASES} cases`);
        const { disagreements, types } = runFuzzer(fuzzer, { seed, cases: CASES });
        assert.equal(disagreements.join('\n\n'), '');
        assert.deepEqual([...types.keys()].sort(), [...Object.keys(MUTATIONS), 'valid'].sort());
      });
    }
  });
}

describe('the fuzzer', () => {
  const faulty: Fuzzer = {
    name: 'faulty',
    generate: (seed) => ({
      type: 'valid',
      bytes: Buffer.from(`${'x'.repeat(50)}${seed === 7 ? 'a-b' : ''}yy`),
    }),
    disagreement: (bytes) => (/a.*b/.test(bytes.toString()) ? 'a precedes b' : undefined),
  };

  it('reports a failure with its seed, the smallest failing input and a command that reproduces it', () => {
    const { disagreements } = runFuzzer(faulty, { seed: 1, cases: 10 });
    assert.deepEqual(disagreements, [
      [
        'faulty, seed 7 (valid, 55 bytes): a precedes b',
        '  smallest input: "ab" (latin1)',
        '  result: a precedes b',
        '  rerun: npm run test:fuzz -- --only faulty --seed 7 --cases 1',
      ].join('\n'),
    ]);
    assert.equal(runFuzzer(faulty, { seed: 7, cases: 1 }).disagreements.length, 1);
  });

  it('reports whether a disagreement could be repeated', () => {
    let attempts = 0;
    const once = { ...faulty, disagreement: () => (attempts++ === 0 ? 'only once' : undefined) };
    const [first] = runFuzzer(once, { seed: 1, cases: 2 }).disagreements;
    assert.match(first ?? '', /seed 1 .*: only once\n.*\n {2}result: no disagreement when repeated\n/);
  });

  it('treats an exception as a disagreement', () => {
    const throwing = { ...faulty, disagreement: () => assert.fail('out of bounds') };
    const [first] = runFuzzer(throwing, { seed: 1, cases: 1 }).disagreements;
    assert.match(first ?? '', /seed 1 .*it throws: .*out of bounds/);
  });

  it('limits the number of attempts to reduce a failing input', () => {
    assert.equal(reduce(Buffer.alloc(100_000), () => true).length, 0);
    assert.equal(reduce(Buffer.alloc(3_000), (smaller) => smaller.length > 2_998).length, 2_999);
  });
});
