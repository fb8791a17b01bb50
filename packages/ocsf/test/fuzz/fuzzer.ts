import { reduce } from './reduce.ts';

/** Generates inputs from seeds, and checks whether the tested code agrees with its oracle on them. */
export interface Fuzzer {
  readonly name: string;
  readonly generate: (seed: number) => { readonly type: string; readonly bytes: Buffer };
  /** Describes a disagreement; `undefined` if there is none. Everything except the bytes is determined by the seed. */
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

/** Maximum disagreements to report; one fault usually causes many. */
const MAX_SHOWN = 5;

/**
 * Runs the cases of the seeds starting with `seed`. Case k of seed s is case 0 of seed s + k, so a single number
 * reproduces it.
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

/** An exception counts as a disagreement, so that it is reported and reduced like any other. */
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
    `  smallest form: ${JSON.stringify(smallest.toString('latin1'))} (latin1)`,
    `  result: ${attempt(fuzzer, smallest, seed)}`,
    `  rerun: npm run test:fuzz -- --only ${fuzzer.name} --seed ${seed} --cases 1`,
  ].join('\n');
}
