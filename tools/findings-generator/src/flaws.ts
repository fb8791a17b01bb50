import type { NonEmpty } from './random.ts';

/** Defects that make Sluice reject a generated record. */
export const FLAWS = [
  'missing-finding-uid',
  'other-class',
  'class-as-text',
  'account-as-number',
  'unknown-status-code',
] as const satisfies NonEmpty<string>;

export type Flaw = (typeof FLAWS)[number];
