import type { FindingSeverity } from '../client/finding-changes.ts';

/** The severities of a gate, from the lowest. `other` always counts, so it is not among them. */
export const GATE_SEVERITIES = [
  'unknown',
  'informational',
  'low',
  'medium',
  'high',
  'critical',
  'fatal',
] as const satisfies readonly FindingSeverity[];

export type GateSeverity = (typeof GATE_SEVERITIES)[number];
