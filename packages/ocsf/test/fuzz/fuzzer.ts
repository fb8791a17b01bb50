import { reduce } from './reduce.ts';

/** Generates inputs from seeds, and compares the results of the tested code with those of an oracle. */
export interface Fuzzer {
  readonly name: string;
  readonly generate: (seed: number) => { readonly type: string; readonly bytes: Buffer };
  /** Describes a disagreement; `undefined` if there is none. The seed determines everything except the bytes. */
  readonly disagreement: (bytes: Buffer, seed: number) => string | undefined;
}

/** The result of a run. */
export interface FuzzSummary {
  readonly name: string;
  readonly cases: number;
  readonly bytes: number;
  readonly types: ReadonlyMap<string, number>;
  readonly disagreements: readonly string[];
  readonly seconds: number;
}

/** Maximum number of disagreements to report. A single bug usually causes many. */
const MAX_SHOWN = 5;

/**
 * Runs one case per seed, starting with `seed`. Case k of seed s is case 0 of seed s + k, so a single number reproduces
 * any case.
 */
export function runFuzzer(
  fuzzer: Fuzzer,
  { seed, cases }: { readonly seed: number; readonly cases: number },
): FuzzSummary {
  const types = new Map<string, number>();
  const disagreements: string[] = [];
  const started = performance.now();
  let bytes = 0;
  let done = 0;
  for (; done < cases && disagreements.length < MAX_SHOWN; done++) {
    const generated = fuzzer.generate(seed + done);
    types.set(generated.type, (types.get(generated.type) ?? 0) + 1);
    bytes += generated.bytes.length;
    const wrong = attempt(fuzzer, generated.bytes, seed + done);
    if (wrong !== undefined) disagreements.push(describeFailure(fuzzer, generated, seed + done, wrong));
  }
  return {
    name: fuzzer.name,
    cases: done,
    bytes,
    types,
    disagreements,
    seconds: (performance.now() - started) / 1000,
  };
}

/** Treats an exception as a disagreement, so that it is reported and reduced in the same way. */
function attempt(fuzzer: Fuzzer, bytes: Buffer, seed: number): string | undefined {
  try {
    return fuzzer.disagreement(bytes, seed);
  } catch (error) {
    return `it throws: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function describeFailure(
  fuzzer: Fuzzer,
  { type, bytes }: ReturnType<Fuzzer['generate']>,
  seed: number,
  wrong: string,
): string {
  const smallest = reduce(bytes, (smaller) => attempt(fuzzer, smaller, seed) !== undefined);
  return [
    `${fuzzer.name}, seed ${seed} (${type}, ${bytes.length} bytes): ${wrong}`,
    `  smallest input: ${JSON.stringify(smallest.toString('latin1'))} (latin1)`,
    `  result: ${attempt(fuzzer, smallest, seed) ?? 'no disagreement when repeated'}`,
    `  rerun: npm run test:fuzz -- --only ${fuzzer.name} --seed ${seed} --cases 1`,
  ].join('\n');
}
