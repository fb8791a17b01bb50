import { FLAWS, type Flaw } from './flaws.ts';
import type { GeneratorOptions } from './options.ts';
import { hashOf, Random } from './random.ts';

/** What the scan found for a record. */
export interface Outcome {
  statusCode: 'PASS' | 'FAIL' | 'MANUAL';
  muted: boolean;
  /** What is wrong with the record itself, if anything. */
  flaw: Flaw | undefined;
}

const MANUAL_SHARE = 0.02;

/** The outcome of the index-th record. A larger share keeps all that a smaller one has chosen. */
export function outcomeAt(options: GeneratorOptions, index: number): Outcome {
  const random = new Random(hashOf(81, options.seed, index));
  const failed = random.chance(options.failShare);
  const manual = random.chance(MANUAL_SHARE);
  const muted = random.chance(options.mutedShare);
  const flawed = random.chance(options.invalidShare);
  const flaw = random.pick(FLAWS);
  return {
    statusCode: failed ? 'FAIL' : manual ? 'MANUAL' : 'PASS',
    muted,
    flaw: flawed ? flaw : undefined,
  };
}
