import type { NonEmpty } from './random.ts';

/** The ways in which a generated record is one that Sluice must reject. */
export const FLAWS = [
  'missing-finding-uid',
  'other-class',
  'class-as-text',
  'account-as-number',
  'unknown-status-code',
] as const satisfies NonEmpty<string>;

export type Flaw = (typeof FLAWS)[number];
