import type { GeneratorOptions } from './options.ts';
import { hashOf, type NonEmpty, Random } from './random.ts';

/** Defects that make Sluice reject a generated record. */
export const FLAWS = [
  'missing-finding-uid',
  'other-class',
  'class-as-text',
  'account-as-number',
  'unknown-status-code',
] as const satisfies NonEmpty<string>;

export type Flaw = (typeof FLAWS)[number];

/** The result that a record reports. */
export interface Outcome {
  statusCode: 'PASS' | 'FAIL' | 'MANUAL';
  muted: boolean;
  /** The defect of the record, if any. */
  flaw: Flaw | undefined;
}

const MANUAL_SHARE = 0.02;

/** Returns the outcome of a record. A larger share selects all records that a smaller share selects. */
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
